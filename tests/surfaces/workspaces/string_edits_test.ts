import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { editText } from "../../../src/surfaces/workspaces/string_edits.ts";

const AT = { path: "a.ts" };
const edit = (oldText: string, newText: string) => ({ oldText, newText });

Deno.test("editText keeps line endings, byte order mark and a missing final newline", async () => {
  const edits: [text: string, oldText: string, newText: string, result: string][] = [
    ["a\r\nb\r\nc", "b", "x\ny", "a\r\nx\r\ny\r\nc"],
    ["\ufeffa\nb\n", "a", "x", "\ufeffx\nb\n"],
    ["a\nb", "b", "x", "a\nx"],
    ["price: 5\n", "5", "$&$1", "price: $&$1\n"],
  ];
  for (const [text, oldText, newText, result] of edits) {
    assertEquals(await editText(text, [edit(oldText, newText)], AT), result, JSON.stringify(text));
  }
});

Deno.test("editText indents new lines like the file, if the old text shows no indentation", async () => {
  const file = "if (a) {\n\tb();\n}\n";
  assertEquals(await editText(file, [edit("b();", "b();\n    c();")], AT), "if (a) {\n\tb();\n\tc();\n}\n");
  assertEquals(await editText(file, [edit("\tb();", "    b();")], AT), "if (a) {\n    b();\n}\n"); // meant, then
  assertEquals(await editText("a:\n  b\n", [edit("a:", "a:\n\tc")], AT), "a:\n  c\n  b\n");
});

const FAILURES: [edits: ReturnType<typeof edit>[], message: RegExp, details: Record<string, unknown>][] = [
  [
    [edit("const b = 2", "x")],
    /^edits\[0\]\.oldText is not in "a\.ts"\. The nearest match is line 2 \(different whitespace or line breaks\):\n```\nconst {2}b {2}= {2}2\n```\nNothing was changed\. Give oldText exactly as one of these\.$/,
    {
      nearestMatch: { line: 2, endLine: 2, text: "const  b  =  2", differs: ["whitespace"] },
      linesCompared: 4,
    },
  ],
  [
    [edit("zzzzzzzzzz", "x")],
    /^edits\[0\]\.oldText is not in "a\.ts"; nothing similar was found\. Nothing was changed\. Look with fs_read_text_file or fs_grep\.$/,
    {
      nearestMatch: null,
      linesCompared: 4,
    },
  ],
  [
    [edit("same", "x")],
    /^edits\[0\]\.oldText occurs 2 times in "a\.ts":\n3:same\n4:same\nNothing was changed\. Add nearLine .*, or replaceAll: true/,
    {
      count: 2,
      lines: [3, 4],
    },
  ],
  [
    [edit("first", "other"), edit("first", "x")],
    /^edits\[1\]\.oldText is no longer in "a\.ts": an earlier edit in this call changed it/,
    {},
  ],
  [
    [edit("first\nconst", "A\nB"), edit("B  b", "x")],
    /^edits\[1\]\.oldText overlaps what edits\[0\] put into "a\.ts"/,
    {
      priorIndex: 0,
    },
  ],
];

Deno.test("editText says where an edit that does not apply nearly does, or lists all places", async () => {
  const text = "first\nconst  b  =  2\nsame\nsame\n";
  for (const [edits, message, details] of FAILURES) {
    const error = await assertRejects(() => editText(text, edits, AT), PaddockError);
    assertEquals(error.code, "INVALID_INPUT");
    assertEquals(message.test(error.message), true, error.message);
    for (const [key, value] of Object.entries(details)) assertEquals(error.data?.[key], value, key);
  }
});
