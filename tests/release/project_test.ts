/** What people read names one address of the project, and no package registry by its host. */
import { assert, assertEquals } from "@std/assert";
import { manifests } from "../../build/manifests/mod.ts";
import { archiveName } from "../../build/archive.ts";
import { bundleManifest, bundleName } from "../../build/mcpb/manifest.ts";
import { mainPackage, platformPackage, readmeOf } from "../../build/npm/packages.ts";
import { IMAGE, MCP_NAME, REPOSITORY_SLUG } from "../../build/project.ts";
import { plan } from "../../build/compile.ts";
import { settingsFor } from "../../build/bundle.ts";
import { BuildError } from "../../build/run_deno.ts";
import { TARGETS } from "../../build/targets.ts";
import { REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { REPOSITORY } from "../support/server.ts";

const FILES = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "Dockerfile",
  "docs/guides/install.md",
];

/** Every published text, by its location. */
function texts(): [place: string, text: string][] {
  const zeros = "0".repeat(64);
  const names = TARGETS.flatMap((target) => [archiveName(target, VERSION), bundleName(target)]);
  const packages = [mainPackage(), ...TARGETS.map(platformPackage)];
  return [
    ...FILES.map((file): [string, string] => [file, Deno.readTextFileSync(REPOSITORY + file)]),
    ...Object.entries(manifests(new Map(names.map((name) => [name, zeros])))),
    ...packages.map((json): [string, string] => [json.name, JSON.stringify(json) + readmeOf(json)]),
    ...TARGETS.map((
      target,
    ): [string, string] => [bundleName(target), JSON.stringify(bundleManifest(target))]),
  ];
}

/** Owners on GitHub that we name for their own projects. */
const OTHERS = ["modelcontextprotocol", "denoland"];

Deno.test("every text names the one owner of the repository, and no placeholder", () => {
  for (const [place, text] of texts()) {
    const owners = [...text.matchAll(/(?:github\.com|ghcr\.io|--repo)[/ =]([\w.-]+)\/paddock\b/g)].map((
      [, owner],
    ) => owner);
    const [own = ""] = REPOSITORY_SLUG.split("/");
    assertEquals(owners.filter((owner) => owner !== own && !OTHERS.includes(owner ?? "")), [], place);
    assert(!/\bOWNER\b|example\.org|your-name/i.test(text), place);
  }
});

Deno.test("no text names the host of a package registry", () => {
  for (const [place, text] of texts()) {
    assert(!/registry\.npmjs|npmjs\.(com|org)|jsr\.io|pypi\.org/.test(text), place);
  }
});

Deno.test("the Dockerfile labels the image with the address and the name in the MCP registry", () => {
  const text = Deno.readTextFileSync(`${REPOSITORY}Dockerfile`);
  assert(text.includes(`org.opencontainers.image.source="${REPOSITORY_URL}"`));
  assert(text.includes(`io.modelcontextprotocol.server.name="${MCP_NAME}"`));
  assert(IMAGE.startsWith("ghcr.io/"));
});

Deno.test("plan builds paddock-lite for the engine quickjs, and leaves out surfaces by name", () => {
  const { jobs, without } = plan(["--engine=quickjs", "--without=workspaces,flat"]);
  assertEquals(jobs.map(({ engine, output }) => [engine, /paddock-lite(\.exe)?$/.test(output)]), [[
    "quickjs",
    true,
  ]]);
  assertEquals(without, ["workspaces", "flat"]);
  assertEquals(plan(["--without="]).without, []);
});

for (const args of [["--engine=v9"], ["--without=rooms"], ["--target=pdp11"], ["extra"], ["--fast"]]) {
  Deno.test(`plan refuses ${args[0]}`, () => {
    let refused: unknown;
    try {
      plan(args);
    } catch (error) {
      refused = error;
    }
    assert(refused instanceof BuildError);
  });
}

Deno.test("settingsFor tells main which surfaces to refuse", () => {
  const { imports } = settingsFor(REPOSITORY, ["workspaces"]);
  assertEquals(Object.keys(imports), ["#worker-options", "#without-workspaces"]);
});
