import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { ensureFolder } from "../../src/engine/folders.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test("ensureFolder creates what is missing, and says whether anything was", async () => {
  using folder = engineFolder();
  assertEquals(await ensureFolder(folder.at("a/b/c"), folder.changing), true);
  assertEquals(await ensureFolder(folder.at("a/b/c"), folder.changing), false);
  assertEquals(await ensureFolder(folder.at("a/b/d"), folder.changing), true);
  assertEquals(await ensureFolder(folder.at(""), folder.changing), false);
  assertEquals(folder.names(), ["a/", "a/b/", "a/b/c/", "a/b/d/"]);
});

Deno.test("ensureFolder succeeds for all who want the same folder at once, and one of them creates it", async () => {
  using folder = engineFolder();
  const paths = Array.from({ length: 20 }, () => folder.at("a/b/c"));
  const created = await Promise.all(paths.map((path) => ensureFolder(path, folder.changing)));
  assertEquals(created.filter((one) => one).length, 1);
});

Deno.test("ensureFolder follows a link that stays inside", async () => {
  using folder = engineFolder();
  Deno.mkdirSync(`${folder.path}/real`);
  Deno.symlinkSync("real", `${folder.path}/link`);
  assertEquals(await ensureFolder(folder.at("link"), folder.changing), false);
  assertEquals(await ensureFolder(folder.at("link/new"), folder.changing), true);
  assertEquals(folder.names(), ["link", "real/", "real/new/"]);
});

Deno.test("ensureFolder refuses if a file or a link has appeared in the way", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  const behindFile = folder.at("file/new");
  const behindLink = folder.at("link/new");
  const link = folder.at("link");
  folder.write("file", "x");
  Deno.symlinkSync(outside.path, `${folder.path}/link`);
  const refused = (path: typeof link) => refusal(ensureFolder(path, folder.changing));
  assertEquals(
    await refused(folder.at("file")),
    'ALREADY_EXISTS: path exists and is a file, not a folder: "file"',
  );
  assertEquals(await refused(link), 'ALREADY_EXISTS: path exists and is a file, not a folder: "link"');
  const said = await refused(behindFile);
  assert(/^(ALREADY_EXISTS|INVALID_INPUT): .*is a file, not a folder/.test(said), said);
  const fenced = await refused(behindLink);
  assert(/^(ALREADY_EXISTS|OUT_OF_BOUNDS|NOT_FOUND): /.test(fenced), fenced);
  assertEquals(outside.names(), []);
  assertEquals(folder.names(), ["file", "link"]);
});

Deno.test("ensureFolder does not recreate a root that was removed", async () => {
  using folder = engineFolder();
  const path = folder.at("a/b");
  Deno.removeSync(folder.path);
  const said = await refusal(ensureFolder(path, folder.changing));
  Deno.mkdirSync(folder.path);
  assert(said.startsWith("NOT_FOUND: "), said);
  assertEquals(folder.names(), []);
});

Deno.test("ensureFolder waits for the lock of the root, unless its caller holds it or nothing is missing", async () => {
  using folder = engineFolder();
  Deno.mkdirSync(`${folder.path}/there`);
  const gate = Promise.withResolvers<void>();
  const holding = folder.changing.locks.withFolder(folder.at(""), () => gate.promise);
  const changing = { ...folder.changing, lockWaitMs: 10 };
  assertEquals(
    await refusal(ensureFolder(folder.at("new"), changing)),
    "TIMEOUT: could not lock root test: another call or process kept it locked; try again later",
  );
  assertEquals(await ensureFolder(folder.at("there"), changing), false);
  assertEquals(await ensureFolder(folder.at("new"), { ...changing, structureLocked: true }), true);
  gate.resolve();
  await holding;
});

Deno.test("ensureFolder refuses more than 128 missing levels, creates none of them, and stops when cancelled", async () => {
  using folder = engineFolder();
  const levels = (count: number) => folder.at(Array.from({ length: count }, () => "d").join("/"));
  const refused = await refusal(ensureFolder(levels(129), folder.changing));
  assertEquals([refused.split(":")[0], folder.names()], ["INVALID_INPUT", []]);
  const signal = AbortSignal.abort(new PaddockError("TIMEOUT", "timed out"));
  const cancelled = await refusal(ensureFolder(levels(3), { ...folder.changing, signal }));
  assertEquals([cancelled.split(":")[0], folder.names()], ["TIMEOUT", []]);
});
