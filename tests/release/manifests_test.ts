/** The manifests for package managers and registries, checked against their formats and the checksums of a release. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parse } from "yaml";
import { archiveName } from "../../build/archive.ts";
import { manifests } from "../../build/manifests/mod.ts";
import { readSums } from "../../build/manifests/sums.ts";
import { bundleName } from "../../build/mcpb/manifest.ts";
import { mainPackage } from "../../build/npm/packages.ts";
import { BuildError } from "../../build/run_deno.ts";
import { TARGETS } from "../../build/targets.ts";
import { REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { loadPrism } from "../packages/prism.ts";
import { needs } from "../support/needs.ts";
import { hexOf } from "../support/sha256.ts";
import { tempFolder } from "../support/temp.ts";
import { ScoopManifest, ServerJson, WINGET } from "./formats.ts";

const FILES = TARGETS.flatMap((target) => [archiveName(target, VERSION), bundleName(target)]);
const SUMS = new Map(await Promise.all(FILES.map(async (file) => [file, await hexOf(file)] as const)));
const MADE = manifests(SUMS);

function made(name: string): string {
  const text = MADE[name];
  assert(text !== undefined, `${name} is not among ${Object.keys(MADE)}`);
  return text;
}

/** Every download address in a text, with the checksum that follows it. */
function downloads(text: string): [file: string, sum: string][] {
  const base = `${REPOSITORY_URL}/releases/download/v${VERSION}/`.replaceAll(".", "\\.");
  return [...text.matchAll(new RegExp(`${base}([\\w.-]+)[^]*?\\b([0-9a-fA-F]{64})\\b`, "g"))]
    .map(([, file = "", sum = ""]) => [file, sum.toLowerCase()]);
}

for (
  const [name, count] of [
    ["homebrew/paddock.rb", 4],
    ["scoop/paddock.json", 2],
    ["winget/Paddock.Paddock.installer.yaml", 2],
    ["aur/PKGBUILD", 2],
    ["aur/.SRCINFO", 2],
    ["server.json", 6],
  ] as const
) {
  Deno.test(`${name} names ${count} files of the release, each with its own checksum`, () => {
    const found = downloads(made(name));
    assertEquals(new Set(found.map(([file]) => file)).size, count, made(name));
    for (const [file, sum] of found) assertEquals(sum, SUMS.get(file), file);
  });
}

Deno.test("server.json has the MCP registry's format, and the npm package confirms that it belongs to it", () => {
  const { name } = ServerJson.parse(JSON.parse(made("server.json")));
  assertEquals(mainPackage().mcpName, name);
});

Deno.test("the manifest for Scoop has Scoop's format", () => {
  const { autoupdate } = ScoopManifest.parse(JSON.parse(made("scoop/paddock.json")));
  assert(!JSON.stringify(autoupdate).includes(VERSION));
});

Deno.test("the manifests for winget have winget's format", () => {
  const files = Object.entries(MADE).filter(([name]) => name.startsWith("winget/"));
  assertEquals(files.length, 3);
  for (const [name, text] of files) {
    const content = parse(text);
    const kind = content.ManifestType as keyof typeof WINGET;
    WINGET[kind].parse(content);
    assertMatch(text, new RegExp(`^# yaml-language-server: \\$schema=\\S+\\.${kind}\\.1\\.10\\.0\\.`), name);
  }
});

Deno.test("the formula for Homebrew is Ruby", async () => {
  const parseRuby = await loadPrism();
  assertEquals(parseRuby(made("homebrew/paddock.rb")).errors, []);
  assert(
    parseRuby(made("homebrew/paddock.rb").replace(/end\n$/, "")).errors.length > 0,
    "otherwise the check proves nothing",
  );
});

Deno.test(needs("bash")("PKGBUILD gives bash the same values as .SRCINFO gives programs"), async () => {
  using folder = tempFolder();
  const file = folder.write("PKGBUILD", made("aur/PKGBUILD"));
  const print = `set -eu; . '${file}'
    echo "pkgbase = $pkgname"
    for name in pkgdesc pkgver pkgrel url; do echo "$name = \${!name}"; done
    for name in arch license depends provides conflicts options; do
      declare -n values=$name; for value in "\${values[@]}"; do echo "$name = $value"; done
    done
    for arch in x86_64 aarch64; do
      for name in source_$arch sha256sums_$arch; do declare -n values=$name; echo "$name = \${values[0]}"; done
    done
    echo "pkgname = $pkgname"; declare -F package >/dev/null`;
  const { code, stdout, stderr } = await new Deno.Command("bash", { args: ["-c", print] }).output();
  const decoder = new TextDecoder();
  assertEquals(code, 0, decoder.decode(stderr));
  const told = made("aur/.SRCINFO").split("\n").map((line) => line.trim()).filter((line) => line !== "");
  assertEquals(decoder.decode(stdout).trim().split("\n"), told);
});

Deno.test(needs("shellcheck")("shellcheck finds nothing in PKGBUILD"), async () => {
  using folder = tempFolder();
  const file = folder.write("PKGBUILD", made("aur/PKGBUILD"));
  const { code, stdout } = await new Deno.Command("shellcheck", { args: [file] }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [0, ""]);
});

Deno.test("manifests are refused if a file of the release has no checksum, or the checksums are invalid", () => {
  const fewer = new Map([...SUMS].slice(1));
  assertThrows(() => manifests(fewer), BuildError, "SHA256SUMS has no checksum for ");
  assertThrows(() => readSums("abc  file\n"), BuildError, "not a line of checksums");
  const line = `${"0".repeat(64)}  a.zip`;
  assertEquals([...readSums(`${line}\n`)], [["a.zip", "0".repeat(64)]]);
});
