import { assertEquals, assertRejects } from "@std/assert";
import type { ConfinedFile } from "../../src/confine/confined_fs.ts";
import { readAll } from "../../src/engine/read.ts";
import { removeFile } from "../../src/engine/remove.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { denyOpen } from "../support/deny_open.ts";
import { abortedAfter, DENIED, engineFolder, keptMode, refusal } from "../support/engine.ts";
import { has, withMkfifo } from "../support/needs.ts";
import { overwriteAs } from "../support/overwriter.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function textOf(file: ConfinedFile | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : new TextDecoder().decode(await readAll(file));
}

Deno.test("updateFile passes the current file to the change, and writes what it returns", async () => {
  using folder = engineFolder();
  const seen: (string | undefined)[] = [];
  const add = async (current: ConfinedFile | undefined) => {
    const text = await textOf(current);
    seen.push(text);
    return encode(`${text ?? ""}+`);
  };
  const path = folder.at("a.txt");
  assertEquals(await updateFile(path, add, folder.changing), { size: 1, created: true });
  assertEquals(await updateFile(path, add, folder.changing), { size: 2, created: false });
  assertEquals(seen, [undefined, "+"]);
  assertEquals(folder.read("a.txt"), "++");
});

Deno.test("updateFile loses none of a hundred updates at once, on a file that does not exist yet", async () => {
  using folder = engineFolder();
  const path = folder.at("count.txt");
  const results = await Promise.all(
    Array.from(
      { length: 100 },
      () =>
        updateFile(
          path,
          async (current) => encode(String(Number(await textOf(current) ?? 0) + 1)),
          folder.changing,
        ),
    ),
  );
  assertEquals(folder.read("count.txt"), "100");
  assertEquals(results.filter(({ created }) => created).length, 1);
});

Deno.test("updateFile starts again as an edit when the file appears while it is being created", async () => {
  using folder = engineFolder();
  const seen: (string | undefined)[] = [];
  const result = await updateFile(folder.at("a.txt"), async (current) => {
    const text = await textOf(current);
    seen.push(text);
    if (text === undefined) folder.write("a.txt", "first come");
    return encode(`${text}, and more`);
  }, folder.changing);
  assertEquals(seen, [undefined, "first come"]);
  assertEquals(folder.read("a.txt"), "first come, and more");
  assertEquals(result.created, false);
});

Deno.test("updateFile gives up when the file keeps appearing and disappearing", async () => {
  using folder = engineFolder();
  const path = folder.at("a.txt");
  let looks = 0;
  const said = await refusal(updateFile(path, (current) => {
    looks++;
    assertEquals(current, undefined);
    folder.write("a.txt", "there");
    const link = Deno.linkSync;
    Deno.linkSync = (from, to) => {
      Deno.linkSync = link;
      try {
        link(from, to);
      } finally {
        Deno.removeSync(to); // it disappears again as soon as the name was found taken
      }
    };
    return encode("x");
  }, folder.changing));
  assertEquals(said, 'CONFLICT: "a.txt" kept appearing and disappearing; try again');
  assertEquals([looks, folder.names()], [20, []]);
});

Deno.test("updateFile creates missing folders", async () => {
  using folder = engineFolder();
  await updateFile(folder.at("x/y/z/a.txt"), () => encode("deep"), folder.changing);
  assertEquals(folder.names(), ["x/", "x/y/", "x/y/z/", "x/y/z/a.txt"]);
});

Deno.test("updateFile leaves the old file and nothing else when the change throws", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  const change = () => {
    throw new RangeError("no");
  };
  await assertRejects(() => updateFile(folder.at("a.txt"), change, folder.changing), RangeError, "no");
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
  await updateFile(folder.at("a.txt"), () => encode("the lock was released"), folder.changing);
});

Deno.test("updateFile leaves the old file when the call is cancelled before the write", async (t) => {
  for (const looks of [0, 1]) {
    await t.step(`after ${looks} checks of the signal`, async () => {
      using folder = engineFolder();
      folder.write("a.txt", "old");
      const changing = { ...folder.changing, signal: abortedAfter(looks) };
      const said = await refusal(updateFile(folder.at("a.txt"), () => encode("new"), changing));
      assertEquals(said, "TIMEOUT: the call was cancelled");
      assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
    });
  }
  await t.step("but not once it has begun", async () => {
    using folder = engineFolder();
    folder.write("a.txt", "old");
    const controller = new AbortController();
    await updateFile(folder.at("a.txt"), () => async (write) => {
      controller.abort();
      await write(encode("new"));
    }, { ...folder.changing, signal: controller.signal });
    assertEquals(folder.read("a.txt"), "new");
  });
});

for (const mode of [0o644, 0o755, 0o600, 0o444]) {
  Deno.test(`updateFile keeps the mode ${mode.toString(8)} of the file it replaces`, async () => {
    using folder = engineFolder();
    Deno.chmodSync(folder.write("a.txt", "old"), mode);
    const update = updateFile(folder.at("a.txt"), () => encode("new"), folder.changing);
    if (mode === 0o444 && Deno.uid() !== 0) {
      assertEquals(await refusal(update), `${DENIED}: "a.txt"`);
    } else {
      assertEquals((await update).created, false);
    }
    assertEquals(folder.mode("a.txt"), keptMode(mode));
  });
}

Deno.test("updateFile leaves no set-id bits on the file it replaces", async () => {
  using folder = engineFolder();
  for (const mode of [0o4755, 0o2755, 0o6711]) {
    Deno.chmodSync(folder.write("tool", "old"), mode);
    await updateFile(folder.at("tool"), () => encode("new"), folder.changing);
    assertEquals(folder.mode("tool"), keptMode(mode & 0o777));
  }
});

Deno.test("updateFile gives a new file 0666 less the umask, or the given mode", async () => {
  using folder = engineFolder();
  for (const umask of [0o000, 0o002, 0o022, 0o027, 0o077]) {
    const name = `umask-${umask}`;
    await updateFile(folder.at(name), () => encode(""), { ...folder.changing, umask });
    assertEquals(folder.mode(name), keptMode(0o666 & ~umask));
  }
  await updateFile(folder.at("told"), () => encode(""), { ...folder.changing, newFileMode: 0o751 });
  assertEquals(folder.mode("told"), keptMode(0o751));
});

Deno.test("updateFile keeps the owner of the file it replaces", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "old");
  const isRoot = has("files of other users");
  if (isRoot) Deno.chownSync(file, 1000, 1000);
  const before = Deno.statSync(file);
  await updateFile(folder.at("a.txt"), () => encode("new"), folder.changing);
  const after = Deno.statSync(file);
  assertEquals([after.uid, after.gid], [before.uid, before.gid]);
  assertEquals(after.uid, isRoot ? 1000 : Deno.uid());
});

Deno.test("updateFile keeps the group when the owner cannot be kept", () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "old");
  if (has("files of other users")) {
    Deno.chownSync(folder.path, 1000, 2000);
    Deno.chmodSync(folder.path, 0o2777); // new files get group 2000 here
    Deno.chownSync(file, 3000, 1000);
    Deno.chmodSync(file, 0o6775);
  }
  const said = overwriteAs({ uid: 1000, gid: 1000 }, [folder.path, "a.txt", "1", "user"]);
  const { uid, gid } = Deno.statSync(file);
  if (said === undefined) assertEquals(folder.read("a.txt"), "old");
  else assertEquals([said, uid, gid, folder.mode("a.txt")], [["0"], 1000, 1000, 0o775]);
});

Deno.test("updateFile refuses a file that its user may only read", () => {
  using folder = engineFolder();
  Deno.chmodSync(folder.path, 0o777);
  Deno.chmodSync(folder.write("a.txt", "old"), 0o644);
  const said = overwriteAs({ uid: 1000, gid: 1000 }, [folder.path, "a.txt", "1", "user"]);
  if (said !== undefined) {
    assertEquals(said, [`${DENIED}: "a.txt"`]);
  }
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
});

Deno.test("updateFile refuses a file that may not be written to, whoever owns it", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  using _denied = denyOpen(`${folder.path}/a.txt`, { readable: true });
  assertEquals(
    await refusal(updateFile(folder.at("a.txt"), () => encode("new"), folder.changing)),
    `${DENIED}: "a.txt"`,
  );
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
});

Deno.test("updateFile waits for a removal, and then creates the file again", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  const path = folder.at("a.txt");
  const removal = removeFile(path, folder.changing);
  const { created } = await updateFile(path, (current) => encode(String(current)), folder.changing);
  await removal;
  assertEquals([created, folder.read("a.txt")], [true, "undefined"]);
});

Deno.test(withMkfifo("updateFile refuses anything but a regular file, without hanging"), async () => {
  using folder = engineFolder();
  Deno.mkdirSync(`${folder.path}/sub`);
  const update = (path: string) =>
    refusal((async () => await updateFile(folder.at(path), () => encode("x"), folder.changing))());
  assertEquals(await update("sub"), 'INVALID_INPUT: path is a directory, not a file: "sub"');
  assertEquals(await update("."), 'INVALID_INPUT: path is a directory, not a file: "."');
  assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync().code, 0);
  assertEquals(await update("pipe"), 'UNSUPPORTED: not a regular file (a device, pipe or socket): "pipe"');
  folder.write("file", "");
  assertEquals(
    await update("file/a.txt"),
    'INVALID_INPUT: a part of the path is a file, not a folder: "file/a.txt"',
  );
});
