import { assert, assertEquals } from "@std/assert";
import { TempSweeper } from "../../src/engine/temp_sweeper.ts";
import { delay } from "../../src/engine/yield.ts";
import { writeText } from "../../src/engine/write.ts";
import { engineFolder } from "../support/engine.ts";
import { LockHolder } from "../support/lock_holder.ts";
import { OVERWRITER } from "../support/overwriter.ts";

const STALE = ".paddock-0123456789abcdef0123.tmp";

Deno.test("TempSweeper removes what no writer holds, and nothing with another name", () => {
  using folder = engineFolder();
  const others = [".paddock-x.txt", ".paddock-.tmp", "paddock-00.tmp", ".paddock-00.tmp.txt", "a.tmp"];
  for (const name of [...others, STALE, ".paddock-ff.tmp", ".PADDOCK-FF0.TMP"]) folder.write(name, "x");
  folder.write(`sub/${STALE}`, "x");
  Deno.mkdirSync(`${folder.path}/.paddock-aa.tmp`);
  Deno.symlinkSync("a.tmp", `${folder.path}/.paddock-bb.tmp`);
  new TempSweeper().sweep(folder.at(""));
  assertEquals(
    folder.names(),
    [...others, ".paddock-aa.tmp/", ".paddock-bb.tmp", "sub/", `sub/${STALE}`].sort(),
  );
});

Deno.test("TempSweeper leaves a file alone while its writer lives, and removes it when it was killed", async () => {
  using folder = engineFolder();
  await using holder = await LockHolder.start(folder.write(STALE, "half"));
  const sweeper = new TempSweeper();
  sweeper.sweep(folder.at(""));
  assertEquals(folder.names(), [STALE]);
  await holder.kill();
  sweeper.sweep(folder.at(""));
  assertEquals(folder.names(), []);
});

Deno.test("TempSweeper does not remove the lasting file when a writer died between its two names", async () => {
  using folder = engineFolder();
  Deno.linkSync(folder.write("a.txt", "whole"), `${folder.path}/${STALE}`);
  await writeText(folder.at("b.txt"), "x", { mode: "overwrite", changing: folder.changing });
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt", "b.txt"], "whole"]);
});

Deno.test("TempSweeper lets a write continue if it may not remove what it finds", async () => {
  using folder = engineFolder();
  folder.write(STALE, "x");
  const remove = Deno.removeSync;
  Deno.removeSync = (path, options) => {
    if (String(path).endsWith(STALE)) throw new Deno.errors.PermissionDenied("Operation not permitted");
    remove(path, options);
  };
  try {
    await writeText(folder.at("a.txt"), "x", { mode: "overwrite", changing: folder.changing });
  } finally {
    Deno.removeSync = remove;
  }
  assertEquals(folder.names(), [STALE, "a.txt"]);
});

Deno.test("TempSweeper pauses after a large folder, and checks a small one every time", () => {
  using folder = engineFolder();
  for (let i = 0; i < 500; i++) folder.write(`large/${i}`, "");
  folder.write("small/0", "");
  const sweeper = new TempSweeper();
  const left = (name: string) => {
    folder.write(`${name}/${STALE}`, "x");
    sweeper.sweep(folder.at(name));
    return folder.names().includes(`${name}/${STALE}`);
  };
  assertEquals([left("large"), left("large")], [false, true]);
  assertEquals([left("small"), left("small")], [false, false]);
  new TempSweeper().sweep(folder.at("large"));
  assert(!folder.names().includes(`large/${STALE}`));
});

Deno.test("TempSweeper, racing with writers in other processes, makes none of them lose a write", async () => {
  using folder = engineFolder();
  const writers = ["one", "two"].map((tag) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", OVERWRITER, folder.path, "lines.txt", "150", tag, "append"],
      stdout: "piped",
      stderr: "inherit",
    }).output()
  );
  let running = true;
  const done = Promise.all(writers).finally(() => running = false);
  while (running) {
    for (let i = 0; i < 20; i++) new TempSweeper().sweep(folder.at(""));
    await delay(0);
  }
  const acknowledged = Array.from({ length: 150 }, (_, i) => `${i}\n`).join("");
  for (const { stdout } of await done) assertEquals(new TextDecoder().decode(stdout), acknowledged);
  const expected = ["one", "two"].flatMap((tag) => Array.from({ length: 150 }, (_, i) => `${tag} ${i}`));
  assertEquals(folder.read("lines.txt").trimEnd().split("\n").toSorted(), expected.toSorted());
  assertEquals(folder.names(), ["lines.txt"]);
});
