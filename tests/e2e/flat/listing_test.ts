/** Section 2.2: listing, over every interface. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs, withMkfifo } from "../../support/needs.ts";
import { type Face, sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1"] });

/** The folder, empty. */
function emptied() {
  const { folder } = flat();
  for (const { name } of Deno.readDirSync(folder.path)) {
    Deno.removeSync(`${folder.path}/${name}`, { recursive: true });
  }
  return folder;
}

/** The files of a listing on any interface, and the count that it reports. */
async function list(face: Face) {
  const answer = await face.ok("list_files");
  if (face.base === 1) return { files: answer.files, count: answer.total_count };
  const rows = [...answer.matchAll(/^name: (.*), modified: (.*), lines: (-?\d+)$/gm)];
  const files = rows.map(([, name, modified, lines]) => ({ name, modified, lines: Number(lines) }));
  return { files, count: Number(/\n\nTotal files: (\d+)(\nNot listed: .*)?$/.exec(answer)?.[1]) };
}

async function names(face: Face, unlisted = 0): Promise<string[]> {
  const { files, count } = await list(face);
  assertEquals(count, files.length + unlisted);
  return files.map(({ name }: { name: string }) => name);
}

Deno.test("2.2 list_files of an empty folder has no files and a count of 0", async () => {
  emptied();
  await flat().each(async (face) => assertEquals(await list(face), { files: [], count: 0 }));
});

Deno.test("2.2 list_files returns the files in order, with times of change and numbers of lines", async () => {
  const folder = emptied();
  folder.write("b.txt", "1\n2\n");
  folder.write("a.txt", "1");
  folder.write("B.txt", "");
  folder.write("a-b.txt", "1\r\n2\r\n3");
  Deno.utimeSync(`${folder.path}/a.txt`, 0, Date.parse("2025-06-04T10:30:00.789Z") / 1000);
  await flat().each(async (face) => {
    const { files, count } = await list(face);
    const lines = files.map(({ name, lines }: { name: string; lines: number }) => [name, lines]);
    assertEquals(lines, [["B.txt", 0], ["a-b.txt", 3], ["a.txt", 1], ["b.txt", 2]]);
    assertEquals(count, 4);
    assertEquals(files[2].modified, "2025-06-04T10:30:00Z");
    for (const { modified } of files) assertMatch(modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});

Deno.test("2.2 list_files gives REST and bare JSON-RPC callers the folder's path", async () => {
  const folder = emptied();
  for (const name of ["rest", "bare", "bare over http"] as const) {
    assertEquals(await flat().face(name).ok("list_files"), {
      files: [],
      total_count: 0,
      directory: folder.path,
    });
  }
});

Deno.test("2.2 list_files leaves out folders and hidden files, and counts files without a usable name", async () => {
  const folder = emptied();
  folder.write("seen.txt", "");
  folder.write("sub/inner.txt", "");
  folder.write(".hidden", "");
  folder.write(".folder/x", "");
  folder.write("with space.txt", "");
  folder.write("übung.txt", "");
  folder.write("no folder/x", "");
  folder.write(".paddock-00ff.tmp", "");
  await flat().each(async (face) => {
    assertEquals(await names(face, 2), ["seen.txt"]);
    if (face.base === 1) return;
    assertMatch(
      await face.ok("list_files"),
      /\nTotal files: 3\nNot listed: 2 whose names cannot be used here/,
    );
  });
});

Deno.test("2.2 list_files returns -1 lines for files that are too large or not text", async () => {
  const folder = emptied();
  folder.write("large.txt", "x\n".repeat(600_000));
  folder.write("binary.bin", new Uint8Array([0x80, 0x0a]));
  folder.write("text.txt", "x\n");
  await flat().each(async (face) => {
    const { files } = await list(face);
    const lines = Object.fromEntries(
      files.map(({ name, lines }: { name: string; lines: number }) => [name, lines]),
    );
    assertEquals(lines, { "binary.bin": -1, "large.txt": -1, "text.txt": 1 });
  });
});

Deno.test({
  ...needs("Unix", "a user other than root")("2.2 list_files returns -1 lines for unreadable files"),
  fn: async () => {
    Deno.chmodSync(emptied().write("closed.txt", "x\n"), 0o000);
    await flat().each(async (face) => assertEquals((await list(face)).files[0].lines, -1));
  },
});

Deno.test({
  ...withMkfifo(
    "2.2 list_files lists links to files inside, and none that lead outside, nowhere or to a folder",
  ),
  fn: async () => {
    const folder = emptied();
    folder.write("target.txt", "1\n2\n");
    folder.write("sub/inner.txt", "1\n2\n3\n");
    folder.write(".git/config", "x\n");
    const links = {
      "to-file": "target.txt",
      "to-inner": "sub/inner.txt",
      "to-folder": "sub",
      "to-nowhere": "gone",
      "to-itself": "to-itself",
      "to-outside": "/etc/hostname",
      "to-parent": "..",
      "to-git": ".git/config",
    };
    for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/${name}`);
    assert(new Deno.Command("mkfifo", { args: [`${folder.path}/fifo`] }).outputSync().success);
    await flat().each(async (face) => {
      assertEquals(await names(face), ["target.txt", "to-file", "to-inner"]);
      assertEquals((await list(face)).files[2].lines, 3);
    });
  },
});

Deno.test("2.2 list_files counts changed files again, and only those", async () => {
  const folder = emptied();
  const old = Date.now() / 1000 - 1_000;
  for (const name of ["same.txt", "changed.txt"]) Deno.utimeSync(folder.write(name, "1\n2\n"), old, old);
  const lines = async (face: Face) => (await list(face)).files.map(({ lines }: { lines: number }) => lines);
  await flat().each(async (face) => assertEquals(await lines(face), [2, 2]));
  folder.write("changed.txt", "1234");
  // Different bytes, but nothing that the file's metadata shows: the count is the remembered one.
  Deno.utimeSync(folder.write("same.txt", "1234"), old, old);
  await flat().each(async (face) => assertEquals(await lines(face), [1, 2]));
});

Deno.test("2.2 list_files fails when the folder cannot be reached, and works when it can again", async () => {
  const folder = emptied();
  Deno.renameSync(folder.path, `${folder.path}-away`);
  try {
    await flat().each(async (face) => {
      const { message, code, status } = await face.refused("list_files");
      assertEquals(message, "Cannot access working directory");
      assertEquals(code, face.base === 1 ? -32001 : undefined);
      assertEquals(status, face.name === "rest" ? 500 : undefined);
    });
  } finally {
    Deno.renameSync(`${folder.path}-away`, folder.path);
  }
  await flat().each(async (face) => assertEquals(await list(face), { files: [], count: 0 }));
});
