import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../../../src/base/errors.ts";
import type { ConfinedPath } from "../../../../src/confine/resolve_path.ts";
import { Findings } from "../../../../src/engine/search/findings.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";
import { Scanner } from "../../../../src/engine/search/scan/scan.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { engineFolder } from "../../../support/engine.ts";
import { withMkfifo } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { swap } from "../support.ts";

/** Scans a path; `onRead` is called when the file has been read, before anything about it is reported. */
async function scanned(path: ConfinedPath, onRead: () => void = () => {}): Promise<string[]> {
  const findings = new Findings(Infinity);
  const matcher = compilePattern("x+y?");
  const { feed, seek } = matcher;
  let isFirst = true;
  const once = <A extends unknown[], R>(method: (...args: A) => R) => (...args: A): R => {
    if (isFirst) onRead();
    isFirst = false;
    return method.apply(matcher, args);
  };
  Object.assign(matcher, { feed: once(feed), seek: once(seek), isQuiet: () => false });
  const scanner = new Scanner({ matcher, findings, time: new SearchTime({}), contextLines: 0 });
  await scanner.scanPath(path);
  return findings.matches.map((match) => `${match.file}:${match.line_number}:${match.line_content}`);
}

async function refusalOf(scan: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => scan, PaddockError)).code;
}

Deno.test("Scanner.scanPath finds what is in a file, large or small", async () => {
  using folder = engineFolder();
  folder.write("small", "a\nxx\n");
  folder.write("large", `${"a\n".repeat(300_000)}xx\n`);
  folder.write("empty", "");
  assertEquals(await scanned(folder.at("small")), ["small:2:xx"]);
  assertEquals(await scanned(folder.at("large")), ["large:300001:xx"]);
  assertEquals(await scanned(folder.at("empty")), []);
});

Deno.test("Scanner.scanPath reads a file again that was replaced before anything about it was reported", async () => {
  using folder = engineFolder();
  folder.write("f", "x old\n");
  folder.write("new", "one\nx new\n");
  const replace = () => Deno.renameSync(`${folder.path}/new`, `${folder.path}/f`);
  assertEquals(await scanned(folder.at("f"), replace), ["f:2:x new"]);
});

Deno.test("Scanner.scanPath reports nothing about a file outside, reached through a swapped folder", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  for (const name of ["f", "none"]) outside.write(name, "x outside\n".repeat(name === "none" ? 100_000 : 1));
  for (const name of ["a/f", "a/none"]) folder.write(name, "x inside\n");
  const paths = [folder.at("a/f"), folder.at("a/none")];
  swap(`${folder.path}/a`, outside.path);
  for (const path of paths) assertEquals(await refusalOf(scanned(path)), "OUT_OF_BOUNDS");
});

Deno.test("Scanner.scanPath reports nothing about a file that was outside when it was read, and is not any longer", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("f", "x outside\n");
  folder.write("a/f", "x inside\n");
  const path = folder.at("a/f");
  swap(`${folder.path}/a`, outside.path);
  const swapBack = () => {
    Deno.removeSync(`${folder.path}/a`);
    Deno.renameSync(`${folder.path}/a-away`, `${folder.path}/a`);
  };
  assertEquals(await scanned(path, swapBack), ["a/f:1:x inside"]);
});

Deno.test({
  ...withMkfifo(
    "Scanner.scanPath reports nothing about anything but a regular file, and does not wait for it",
  ),
  async fn() {
    using folder = engineFolder();
    const paths = ["pipe", "device", "folder"].map((name) => {
      folder.write(name, "x");
      return folder.at(name);
    });
    for (const { absolute } of paths) Deno.removeSync(absolute);
    new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync();
    Deno.symlinkSync("/dev/zero", `${folder.path}/device`); // it has no end
    Deno.mkdirSync(`${folder.path}/folder`);
    const [pipe, device, inner] = paths as [ConfinedPath, ConfinedPath, ConfinedPath];
    assertEquals(await refusalOf(scanned(pipe)), "UNSUPPORTED");
    assertEquals(await refusalOf(scanned(inner)), "INVALID_INPUT");
    assertEquals(await scanned(device), []);
  },
});
