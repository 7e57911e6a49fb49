import { assert, assertEquals } from "@std/assert";
import type { ConfinedFile } from "../../src/confine/confined_fs.ts";
import { editText } from "../../src/engine/edit.ts";
import { readAll } from "../../src/engine/read.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { writeText } from "../../src/engine/write.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { SAVE_STYLES, STYLES } from "../support/person.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function textOf(file: ConfinedFile | undefined): Promise<string> {
  return file === undefined ? "" : new TextDecoder().decode(await readAll(file));
}

/**
 * Runs `act` once, right before the rename that puts the next new content in its place; `refused` where that file is
 * open and cannot be replaced, as on FAT.
 */
function beforeNextRename(act: () => void, { refused = false } = {}): Disposable {
  const rename = Deno.renameSync;
  Deno.renameSync = (from, to) => {
    Deno.renameSync = rename;
    act();
    if (refused) throw new Deno.errors.Busy("the file is open");
    rename(from, to);
  };
  return { [Symbol.dispose]: () => void (Deno.renameSync = rename) };
}

for (const style of STYLES) {
  for (const length of [3, 2_000_000]) {
    Deno.test(`updateFile starts again when a person saves (${style}) ${length} bytes after it was read`, async () => {
      using folder = engineFolder();
      const file = folder.write("a.txt", "1".repeat(length));
      const seen: string[] = [];
      const result = await updateFile(folder.at("a.txt"), async (current) => {
        const text = await textOf(current);
        seen.push(text.slice(0, 3));
        if (seen.length === 1) SAVE_STYLES[style](file, "2".repeat(length)); // of the same size, at the same time
        return encode(`${text}+`);
      }, folder.changing);
      assertEquals(seen, ["111", "222"]);
      assertEquals(folder.read("a.txt") === `${"2".repeat(length)}+`, true);
      assertEquals([result, folder.names()], [{ size: length + 1, created: false }, ["a.txt"]]);
    });
  }

  Deno.test(`updateFile does not report an error about a content that a person has saved over (${style})`, async () => {
    using folder = engineFolder();
    const file = folder.write("a.txt", "old");
    const path = folder.at("a.txt");
    const edit = (text: string) => {
      if (text === "new") return "edited";
      SAVE_STYLES[style](file, "new");
      throw new RangeError("not found");
    };
    await editText(path, edit, { maxBytes: 1000, changing: folder.changing });
    assertEquals(folder.read("a.txt"), "edited");
  });

  Deno.test(`writeText with expected_hash is a CONFLICT when a person saves (${style}) after the comparison`, async () => {
    using folder = engineFolder();
    const file = folder.write("a.txt", "old");
    const { hash } = await writeText(folder.at("a.txt"), "same", {
      mode: "overwrite",
      changing: folder.changing,
    });
    const sync = Deno.FsFile.prototype.sync;
    Deno.FsFile.prototype.sync = function () {
      Deno.FsFile.prototype.sync = sync;
      SAVE_STYLES[style](file, "mine");
      return sync.call(this);
    };
    try {
      const options = { mode: "overwrite", changing: folder.changing, expectedHash: hash } as const;
      const said = await refusal(writeText(folder.at("a.txt"), "agent", options));
      assert(said.startsWith('CONFLICT: "a.txt" does not match expected_hash'), said);
    } finally {
      Deno.FsFile.prototype.sync = sync;
    }
    assertEquals([folder.read("a.txt"), folder.names()], ["mine", ["a.txt"]]);
  });
}

for (const style of ["truncate", "inPlace"] as const) {
  for (const [where, refused] of [["", false], [" where open files cannot be replaced", true]] as const) {
    Deno.test(`updateFile makes the change once more when a person saves (${style}) between the last look and the rename${where}`, async () => {
      using folder = engineFolder();
      const file = folder.write("a.txt", "old");
      using _ = beforeNextRename(() => SAVE_STYLES[style](file, "new"), { refused });
      const add = async (current: ConfinedFile | undefined) => encode(`${await textOf(current)}+`);
      const result = await updateFile(folder.at("a.txt"), add, folder.changing);
      assertEquals([folder.read("a.txt"), result.size, folder.names()], ["new+", 4, ["a.txt"]]);
    });

    Deno.test(`updateFile puts a late save (${style}) back when the change does not apply to it${where}`, async () => {
      using folder = engineFolder();
      const file = folder.write("a.txt", "old");
      using _ = beforeNextRename(() => SAVE_STYLES[style](file, "new"), { refused });
      const edit = (text: string) => {
        if (text !== "old") throw new RangeError("not found");
        return "edited";
      };
      const said = await editText(folder.at("a.txt"), edit, { maxBytes: 1000, changing: folder.changing })
        .then(() => "done", (error) => String(error));
      assertEquals([said, folder.read("a.txt"), folder.names()], ["RangeError: not found", "new", ["a.txt"]]);
    });
  }
}

Deno.test("updateFile waits for a server that takes the lock of a file that has to be closed to be replaced", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "old");
  const rename = Deno.renameSync;
  let other: Deno.FsFile | undefined;
  let renames = 0;
  // As on FAT: nothing replaces a file that is open, and the other server opens it in the instant when nobody has it open.
  Deno.renameSync = (from, to) => {
    if (++renames === 2) {
      other = Deno.openSync(file, { read: true, write: true });
      assert(other.tryLockSync(true));
      setTimeout(() => {
        other?.close();
        other = undefined;
        rename(folder.write("new.txt", "theirs"), file);
      }, 1000);
    }
    if (renames < 3 || other !== undefined) throw new Deno.errors.Busy("the file is open");
    rename(from, to);
  };
  try {
    const add = async (current: ConfinedFile | undefined) => encode(`${await textOf(current)}+`);
    await updateFile(folder.at("a.txt"), add, folder.changing);
  } finally {
    Deno.renameSync = rename;
  }
  assertEquals([folder.read("a.txt"), folder.names()], ["theirs+", ["a.txt"]]);
});

Deno.test("updateFile waits for the end of a save that began before the file was read", async () => {
  using folder = engineFolder();
  const path = folder.at("a.txt");
  folder.write("a.txt", "a long text that a person saves again\n");
  using editor = Deno.openSync(path.absolute, { write: true, truncate: true });
  using _ = beforeNextRename(() => {
    editor.writeSync(encode("a long text "));
    setTimeout(() => editor.writeSync(encode("that a person saves again\n")), 2);
  });
  await writeText(path, "agent\n", { mode: "append", changing: folder.changing });
  assertEquals(folder.read("a.txt"), "a long text that a person saves again\nagent\n");
});

Deno.test("updateFile ends even if a program keeps writing to the file it had open", async () => {
  using folder = engineFolder();
  const path = folder.at("log.txt");
  folder.write("log.txt", "first\n");
  using log = Deno.openSync(path.absolute, { append: true });
  let timer: ReturnType<typeof setInterval> | undefined;
  using _ = beforeNextRename(() => {
    log.writeSync(encode("late\n"));
    timer = setInterval(() => log.writeSync(encode("line\n")), 1);
  });
  try {
    await editText(path, (text) => text.replace("first", "edited"), {
      maxBytes: 1_000_000,
      changing: folder.changing,
    });
  } finally {
    clearInterval(timer);
  }
  assert(folder.read("log.txt").startsWith("edited\nlate\nline\n"));
});

Deno.test("updateFile does not wait for a large file that is written to all the time", async () => {
  using folder = engineFolder();
  const path = folder.at("log.txt");
  folder.write("log.txt", "line\n".repeat(400_000));
  const { now } = Date;
  Date.now = () => Deno.statSync(path.absolute).mtime?.getTime() ?? 0; // whenever it is checked
  const changing = { ...folder.changing, signal: AbortSignal.timeout(2000) };
  try {
    await writeText(path, "agent\n", { mode: "overwrite", changing });
  } finally {
    Date.now = now;
  }
  assertEquals(folder.read("log.txt"), "agent\n");
});

Deno.test(onUnix("updateFile keeps a mode that a person gives the file meanwhile"), async () => {
  using folder = engineFolder();
  const file = folder.write("run.sh", "old");
  let looks = 0;
  await updateFile(folder.at("run.sh"), async (current) => {
    if (looks++ === 0) Deno.chmodSync(file, 0o755);
    return encode(`${await textOf(current)}+`);
  }, folder.changing);
  assertEquals([folder.read("run.sh"), folder.mode("run.sh"), looks], ["old+", 0o755, 2]);
});

Deno.test("updateFile replaces what it has not read, whoever saves meanwhile", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "old");
  let asked = 0;
  await updateFile(folder.at("a.txt"), () => {
    if (asked++ === 0) SAVE_STYLES.truncate(file, "mine");
    return encode("agent");
  }, folder.changing);
  assertEquals([folder.read("a.txt"), asked], ["agent", 1]);
});

Deno.test("updateFile gives up when the file is saved again and again", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "0");
  let asked = 0;
  const said = await refusal(updateFile(folder.at("a.txt"), async (current) => {
    const text = await textOf(current);
    SAVE_STYLES.rename(file, String(++asked));
    return encode(`${text}+`);
  }, folder.changing));
  assertEquals(said, 'CONFLICT: "a.txt" was saved by another program again and again; try again');
  assertEquals([folder.read("a.txt"), folder.names()], [String(asked), ["a.txt"]]);
});
