/** Section 2.3: editing by lines, over every interface. Lines are counted from 0 in the tables here. */
import { assertEquals } from "@std/assert";
import { type Arguments, type Face, sharedFlat } from "./faces.ts";

const flat = sharedFlat();

interface Edit {
  line: number;
  operation: string;
  content?: string | null;
}

function inNumbersOf({ base }: Face, edits: readonly Edit[]): Edit[] {
  return edits.map((edit) => ({ ...edit, line: edit.line + base }));
}

/** What an edit reports on any interface. */
async function edit(face: Face, name: string, args: Arguments & { edits?: Edit[] }) {
  const { edits } = args;
  const answer = await face.ok("edit_file", {
    name,
    ...args,
    ...(edits === undefined ? {} : { edits: inNumbersOf(face, edits) }),
  });
  if (face.base === 1) {
    assertEquals(answer.success, true);
    return { modified: answer.lines_modified, total: answer.new_total_lines, created: answer.file_created };
  }
  const [, file, modified, total, created] =
    /^File edited successfully: (.*)\nLines modified: (\d+)\nTotal lines: (\d+)\nFile created: (true|false)$/
      .exec(answer) ?? [];
  assertEquals(file, name);
  return { modified: Number(modified), total: Number(total), created: created === "true" };
}

Deno.test("2.3 edit_file replaces, inserts before and deletes a line", async () => {
  const cases: [edit: Edit, after: string][] = [
    [{ line: 2, operation: "replace", content: "new line" }, "0\n1\nnew line\n3\n4\n"],
    [{ line: 3, operation: "insert", content: "inserted" }, "0\n1\n2\ninserted\n3\n4\n"],
    [{ line: 2, operation: "delete" }, "0\n1\n3\n4\n"],
    [{ line: 2, operation: "delete", content: null }, "0\n1\n3\n4\n"],
    [{ line: 0, operation: "insert", content: "first" }, "first\n0\n1\n2\n3\n4\n"],
    [{ line: 5, operation: "insert", content: "last" }, "0\n1\n2\n3\n4\nlast\n"],
    [{ line: 0, operation: "replace", content: "" }, "\n1\n2\n3\n4\n"],
    [{ line: 1, operation: "replace", content: "$& $1\t'\"" }, "0\n$& $1\t'\"\n2\n3\n4\n"],
  ];
  await flat().each(async (face, file) => {
    for (const [one, after] of cases) {
      flat().folder.write(file, "0\n1\n2\n3\n4\n");
      const total = after.split("\n").length - 1;
      assertEquals(await edit(face, file, { edits: [one] }), { modified: 1, total, created: false });
      assertEquals(flat().folder.read(file), after);
    }
  });
});

Deno.test("2.3 edit_file applies several edits in one operation, by the lines of the file as it was", async () => {
  await flat().each(async (face, file) => {
    flat().folder.write(file, "0\n1\n2\n3\n4\n");
    const edits = [
      { line: 0, operation: "delete" },
      { line: 4, operation: "replace", content: "four" },
      { line: 2, operation: "insert", content: "a" },
      { line: 2, operation: "insert", content: "b" },
      { line: 2, operation: "replace", content: "two" },
      { line: 5, operation: "insert", content: "end" },
    ];
    // 1 deleted, 2 replaced, 3 inserted, 1 appended.
    const told = await edit(face, file, { edits, append: "tail\n" });
    assertEquals(told, { modified: 7, total: 8, created: false });
    assertEquals(flat().folder.read(file), "1\na\nb\ntwo\n3\nfour\nend\ntail\n");
  });
});

Deno.test("2.3 edit_file creates a file from consecutive insertions", async () => {
  const edits = [0, 1, 2, 3, 4].map((line) => ({ line, operation: "insert", content: `line${line + 1}` }));
  await flat().each(async (face, file) => {
    const told = await edit(face, file, { edits, create_if_missing: true });
    assertEquals(told, { modified: 5, total: 5, created: true });
    assertEquals(flat().folder.read(file), "line1\nline2\nline3\nline4\nline5\n");
  });
});

Deno.test("2.3 edit_file creates a missing file over MCP unless told not to, elsewhere only when told to", async () => {
  await flat().each(async (face, file) => {
    const plain = { name: file, append: "x\n" };
    if (face.base === 1) {
      const { message, code } = await face.refused("edit_file", plain);
      assertEquals([message, code], [`File '${file}' not found`, -32001]);
    }
    const not = await face.refused("edit_file", { ...plain, create_if_missing: false });
    assertEquals(not.message, `File '${file}' not found`);
    assertEquals(flat().folder.names().includes(file), false);
    const args = face.base === 0 ? { append: "x\n" } : { append: "x\n", create_if_missing: true };
    assertEquals(await edit(face, file, args), { modified: 1, total: 1, created: true });
    assertEquals(await edit(face, file, args), { modified: 1, total: 2, created: false });
  });
});

Deno.test("2.3 edit_file appends after the last line, on a new line if the last one has no ending", async () => {
  const cases: [before: string, append: string, after: string, modified: number][] = [
    ["a\n", "b\n", "a\nb\n", 1],
    ["a", "b", "a\nb", 1],
    ["a\n", "b\nc", "a\nb\nc", 2],
    ["", "a", "a", 1],
    ["a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n", 2],
    ["a", "", "a", 0],
  ];
  await flat().each(async (face, file) => {
    for (const [before, append, after, modified] of cases) {
      flat().folder.write(file, before);
      assertEquals((await edit(face, file, { append })).modified, modified);
      assertEquals(flat().folder.read(file), after);
    }
  });
});

Deno.test("2.3 edit_file refuses lines out of range, in the caller's numbers, and changes nothing", async () => {
  const cases: [before: string, edit: Edit][] = [
    ["0\n1\n", { line: 2, operation: "replace", content: "x" }],
    ["0\n1\n", { line: 3, operation: "insert", content: "x" }],
    ["0\n1\n", { line: 2, operation: "delete" }],
    ["", { line: 0, operation: "replace", content: "x" }],
    ["", { line: 0, operation: "delete" }],
  ];
  await flat().each(async (face, file) => {
    for (const [before, one] of cases) {
      flat().folder.write(file, before);
      const good: Edit[] = before === "" ? [] : [{ line: 0, operation: "replace", content: "changed" }];
      const { message, code, status } = await face.refused("edit_file", {
        name: file,
        edits: inNumbersOf(face, [...good, one]),
        append: "more",
      });
      assertEquals(message, `Line ${one.line + face.base} out of range for ${one.operation} operation`);
      assertEquals(code, face.base === 1 ? -32602 : undefined);
      assertEquals(status, face.name === "rest" ? 400 : undefined);
      assertEquals(flat().folder.read(file), before);
    }
  });
});

Deno.test("2.3 edit_file refuses two edits that replace or delete one line", async () => {
  await flat().each(async (face, file) => {
    flat().folder.write(file, "0\n1\n");
    const edits = inNumbersOf(face, [
      { line: 1, operation: "replace", content: "x" },
      { line: 1, operation: "delete" },
    ]);
    const { message } = await face.refused("edit_file", { name: file, edits });
    assertEquals(message, `Line ${1 + face.base} is replaced or deleted by more than one edit`);
    assertEquals(flat().folder.read(file), "0\n1\n");
  });
});

Deno.test("2.3 edit_file refuses edits that make no sense, before it looks for the file", async () => {
  await flat().each(async (face) => {
    const lines = `Line numbers must be ${face.base === 0 ? "non-negative" : "positive"} integers`;
    const cases: [edits: unknown, message: string][] = [
      [[{ line: face.base - 1, operation: "delete" }], lines],
      [[{ line: 1.5, operation: "delete" }], lines],
      [[{ operation: "delete" }], "every edit needs a line"],
      [[{ line: 1, operation: "move" }], "Invalid edit operation: move"],
      [[{ line: 1, operation: "REPLACE", content: "" }], "Invalid edit operation: REPLACE"],
      [[{ line: 1 }], "Invalid edit operation: undefined"],
      [[{ line: 1, operation: "delete", content: "x" }], "Delete operation cannot specify content"],
      [[{ line: 1, operation: "delete", content: "" }], "Delete operation cannot specify content"],
      [[{ line: 1, operation: "replace" }], "Replace operation must specify content"],
      [[{ line: 1, operation: "insert", content: 5 }], "content must be a string"],
      [
        [{ line: 1, operation: "delete", text: "x" }],
        'Unknown argument "text"; known: line, operation, content',
      ],
      [["x"], "an edit must be an object"],
      [{}, "edits must be a list"],
    ];
    for (const [edits, message] of cases) {
      const answer = await face.refused("edit_file", { name: "nowhere.txt", edits, create_if_missing: true });
      assertEquals(answer.message, message);
      assertEquals(answer.code, face.base === 1 ? -32602 : undefined);
    }
    const append = await face.refused("edit_file", { name: "nowhere.txt", append: ["x"] });
    assertEquals(append.message, "append must be a string");
    const create = await face.refused("edit_file", { name: "nowhere.txt", create_if_missing: "yes" });
    assertEquals(create.message, "create_if_missing must be true or false");
    assertEquals(flat().folder.names().includes("nowhere.txt"), false);
  });
});

Deno.test("2.3 edit_file accepts 1,000 edits in one call, and not one more", async () => {
  await flat().each(async (face, file) => {
    const text = Array.from({ length: 1_001 }, (_, i) => `${i}\n`).join("");
    flat().folder.write(file, text);
    const edits = Array.from(
      { length: 1_001 },
      (_, line) => ({ line, operation: "replace", content: `new ${line}` }),
    );
    const { message, code } = await face.refused("edit_file", {
      name: file,
      edits: inNumbersOf(face, edits),
    });
    assertEquals(message, "Too many edits: 1001; at most 1000 in one call");
    assertEquals(code, face.base === 1 ? -32602 : undefined);
    assertEquals(flat().folder.read(file), text);
    const told = await edit(face, file, { edits: edits.slice(0, 1_000) });
    assertEquals(told, { modified: 1_000, total: 1_001, created: false });
    assertEquals(flat().folder.read(file).split("\n").slice(998, 1_001), ["new 998", "new 999", "1000"]);
  });
});
