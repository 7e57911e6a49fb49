/**
 * Thirty mistakes that models make with edit_file and patch_file. Each is corrected mechanically, from the text of
 * the error alone: the second call is written from it and from what the model wants, never from the file.
 */
import { assert, assertEquals } from "@std/assert";
import { tempFolder } from "../../support/temp.ts";
import { withNames } from "../../support/with_names.ts";
import { FILES } from "./mistake_files.ts";
import { root, rootsSurface } from "./setup.ts";

type Call = Record<string, unknown>;
type Edit = Record<string, unknown>;

interface Mistake {
  what: string;
  tool?: "edit_file" | "patch_file";
  args: Call;
  /** What the model wants done to the right text, once it has seen it. */
  change?: (text: string) => string;
  /** Which of several places it means: one whose line in the error contains this, or all. */
  means?: string;
  file: string;
  expected: (content: string) => string;
}

const edit = (path: string, ...edits: Edit[]): Call => ({ root: "r", path, edits });
const one = (old_text: string, new_text: string, more: Edit = {}): Edit => ({ old_text, new_text, ...more });
const swap = (from: string, to: string) => (text: string) => text.replace(from, to);
const app = { file: "src/app.ts" };
const py = { file: "src/add.py" };
const ini = { file: "conf/server.ini" };

const MISTAKES: Mistake[] = [
  // indentation, tabs and spaces
  {
    what: "spaces for tabs",
    args: edit("src/app.ts", one("    let sum = 0;\n    for (const", "    let sum = 1;\n    for (const")),
    change: swap("0", "1"),
    ...app,
    expected: swap("sum = 0", "sum = 1"),
  },
  {
    what: "tabs for spaces",
    args: edit("src/add.py", one("\tif a:\n\t\treturn a + b", "\tif a:\n\t\treturn a * b")),
    change: swap("+", "*"),
    ...py,
    expected: swap("a + b", "a * b"),
  },
  {
    what: "two spaces for four",
    args: edit("src/add.py", one("  if a:\n    return a + b", "")),
    change: swap("a + b", "b + a"),
    ...py,
    expected: swap("a + b", "b + a"),
  },
  {
    what: "no indentation at all",
    args: edit("src/app.ts", one("for (const item of items) {\nsum += item.price * item.count;\n}", "")),
    change: swap("price", "cost"),
    ...app,
    expected: swap("price", "cost"),
  },
  // blanks and line breaks
  {
    what: "one blank for two",
    args: edit("src/app.ts", one('const other = "Nothing to do";', "")),
    change: swap("Nothing", "Nought"),
    ...app,
    expected: swap("Nothing", "Nought"),
  },
  {
    what: "blanks at the end of a line",
    args: edit("src/app.ts", one("return sum;  \n}", "")),
    change: swap("sum", "sum + 1"),
    ...app,
    expected: swap("return sum", "return sum + 1"),
  },
  {
    what: "a line break that is not there",
    args: edit("src/app.ts", one("export function total(\n  items: readonly Item[]\n)", "")),
    change: swap("total", "sumOf"),
    ...app,
    expected: swap("function total", "function sumOf"),
  },
  {
    what: "a missing empty line",
    args: edit("src/add.py", one("    return b\n\ndef sub", "")),
    change: swap("return b", "return a"),
    ...py,
    expected: swap("return b\n", "return a\n"),
  },
  // quotation marks and case
  {
    what: "double quotation marks for single ones",
    args: edit("src/app.ts", one("import { read } from './read.ts';", "")),
    change: swap("read.ts", "readers.ts"),
    ...app,
    expected: swap("./read.ts", "./readers.ts"),
  },
  {
    what: "a straight apostrophe for a curly one",
    args: edit("src/app.ts", one("'It's done'", "")),
    change: swap("done", "over"),
    ...app,
    expected: swap("done", "over"),
  },
  {
    what: "different letter case",
    args: edit("src/app.ts", one("Const Message", "")),
    change: swap("message", "told"),
    ...app,
    expected: swap("const message", "const told"),
  },
  // line endings
  {
    what: "CRLF for LF",
    args: edit("src/add.py", one("if a:\r\n        return a + b", "")),
    change: swap("if a", "if b"),
    ...py,
    expected: swap("if a", "if b"),
  },
  {
    what: "CRLF for CRLF, but with a missing line",
    args: edit("conf/server.ini", one("host = a\r\n[client]", "")),
    change: swap("host = a", "host = b"),
    ...ini,
    expected: swap("host = a", "host = b"),
  },
  // stale text
  {
    what: "a line as it was before",
    args: edit("src/app.ts", one("\t\tsum += item.price * item.amount;", "")),
    change: swap("item.count", "item.number"),
    ...app,
    expected: swap("item.count", "item.number"),
  },
  {
    what: "a block with one stale line",
    args: edit("src/app.ts", one("\tfor (const item of items) {\n\t\tsum += item.cost;\n\t}", "")),
    change: swap("sum +=", "sum -="),
    ...app,
    expected: swap("sum +=", "sum -="),
  },
  {
    what: "a signature as it was before",
    args: edit("src/app.ts", one("export function average(items: Item[]): number {", "")),
    change: swap("average", "mean"),
    ...app,
    expected: swap("average", "mean"),
  },
  {
    what: "a hash as it was before",
    args: { ...edit("src/add.py", one("return b", "return a")), expected_hash: "0".repeat(64) },
    ...py,
    expected: swap("return b", "return a"),
  },
  // ambiguous text
  {
    what: "a text that occurs twice, one place meant",
    args: edit("conf/server.ini", one("port = 80", "port = 81")),
    means: "6",
    ...ini,
    expected: (content) => content.replace("[client]\r\nport = 80", "[client]\r\nport = 81"),
  },
  {
    what: "a text that occurs twice, both places meant",
    args: edit("conf/server.ini", one("port = 80", "port = 81")),
    means: "all",
    ...ini,
    expected: (content) => content.replaceAll("port = 80", "port = 81"),
  },
  {
    what: "a word that occurs many times",
    args: edit("src/app.ts", one("items", "things")),
    means: "all",
    ...app,
    expected: (content) => content.replaceAll("items", "things"),
  },
  {
    what: "a line number half-way between two places",
    args: edit("conf/server.ini", one("port = 80", "port = 81", { near_line: 4 })),
    means: "2",
    ...ini,
    expected: swap("port = 80", "port = 81"),
  },
  // several edits
  {
    what: "an edit of what the one before it changed",
    args: edit(
      "src/app.ts",
      one("let sum = 0;", "let total = 0;"),
      one("let sum = 0;\n\tfor (const item", "let sum = 0;\n\tfor (const thing"),
    ),
    change: swap("const item", "const thing"),
    ...app,
    expected: (content) =>
      content.replace("let sum = 0", "let total = 0").replace("const item", "const thing"),
  },
  // arguments
  {
    what: "argument names of other programs",
    args: { root: "r", path: "src/add.py", edits: [{ old_string: "return b", new_string: "return a" }] },
    ...py,
    expected: swap("return b", "return a"),
  },
  {
    what: "another name for the path",
    args: { root: "r", file_path: "src/add.py", edits: [one("return b", "return a")] },
    ...py,
    expected: swap("return b", "return a"),
  },
  // paths
  {
    what: "a path in another folder",
    args: edit("lib/add.py", one("return b", "return a")),
    ...py,
    expected: swap("return b", "return a"),
  },
  {
    what: "a path in another letter case, with another extension",
    args: edit("src/App.tsx", one("let sum", "let total")),
    ...app,
    expected: swap("let sum", "let total"),
  },
  {
    what: "an unknown root",
    args: { ...edit("src/add.py", one("return b", "return a")), root: "project" },
    ...py,
    expected: swap("return b", "return a"),
  },
  // patches
  {
    what: "a patch with spaces for tabs",
    tool: "patch_file",
    args: { root: "r", path: "src/app.ts", patch: "@@ -4,1 +4,1 @@\n-    let sum = 0;\n+    let sum = 1;\n" },
    change: swap("0", "1"),
    ...app,
    expected: swap("sum = 0", "sum = 1"),
  },
  {
    what: "a patch of stale lines",
    tool: "patch_file",
    args: {
      root: "r",
      path: "src/app.ts",
      patch:
        "@@ -5,3 +5,3 @@\n \tfor (const item of items) {\n-\t\tsum += item.cost;\n+\t\tsum += 1;\n \t}\n",
    },
    change: swap("sum +=", "sum -="),
    ...app,
    expected: swap("sum +=", "sum -="),
  },
  {
    what: "a patch of a file in another folder",
    tool: "patch_file",
    args: { root: "r", path: "add.py", patch: "@@ -4 +4 @@\n-    return b\n+    return a\n" },
    ...py,
    expected: swap("return b\n", "return a\n"),
  },
  {
    what: "a text around a fence, with blanks that do not exist",
    args: edit("README.md", one("```sh\nnpm install\n```", "")),
    change: swap("install", "ci"),
    file: "README.md",
    expected: swap("install", "ci"),
  },
];

/** The next call, made from the last one and its error. */
function mended(call: Call, said: string, { change, means, tool }: Mistake): Call {
  const edits = (call.edits ?? []) as Edit[];
  const index = Number(/^edits\[(\d+)\]/.exec(said)?.[1] ?? 0);
  const withEdit = (mend: Edit) => ({
    ...call,
    edits: edits.map((given, i) => i === index ? { ...given, ...mend } : given),
  });
  const unknown = [...said.matchAll(/unknown argument "(\w+)"/g)].map(([, name = ""]) => name);
  if (unknown.length > 0) {
    const missing = [...said.matchAll(/(\w+) is required/g)].map(([, name = ""]) => name);
    const renamed = JSON.stringify(call).replace(
      new RegExp(`"(${unknown.join("|")})":`, "g"),
      (_, name: string) => `"${missing[unknown.indexOf(name)]}":`,
    );
    return JSON.parse(renamed);
  }
  const roots = /known roots: (\S+?)(?=[ ,(]|$)/.exec(said)?.[1];
  if (roots !== undefined) return { ...call, root: roots };
  const path = /did you mean (\S+?)(?: or .*)?\?/.exec(said)?.[1];
  if (path !== undefined) return { ...call, path };
  const hash = /its hash is now (\w{64})/.exec(said)?.[1];
  if (hash !== undefined) return { ...call, expected_hash: hash };
  if (/ times in /.test(said)) {
    return withEdit(means === "all" ? { replace_all: true } : { near_line: Number(means) });
  }
  const [, , block] = /(`{3,})\n([^]*?)\n\1/.exec(said) ?? [];
  assert(block !== undefined && change !== undefined, `nothing to go by: ${said}`);
  if (tool !== "patch_file") return withEdit({ old_text: block, new_text: change(block) });
  const lines = (text: string, mark: string) => text.split("\n").map((line) => `${mark}${line}\n`).join("");
  return { ...call, patch: `@@\n${lines(block, "-")}${lines(change(block), "+")}` };
}

for (const mistake of MISTAKES) {
  const { what, tool = "edit_file", args, file, expected } = mistake;
  Deno.test(`${tool} says enough to correct ${what}`, async () => {
    using folder = tempFolder();
    for (const [name, content] of Object.entries(FILES)) folder.write(`r/${name}`, content);
    const { call } = rootsSurface([root("r", `${folder.path}/r`)]);
    const said = await withNames(async () => {
      const first = await call(tool, args);
      assertEquals(first.isError, true, first.content[0].text);
      return first.content[0].text;
    });
    assertEquals(folder.read(`r/${file}`), FILES[file], "a failed call changes nothing");
    const second = await call(tool, mended(args, said, mistake));
    assertEquals(second.isError ?? false, false, `${said}\n--- then\n${second.content[0].text}`);
    assertEquals(folder.read(`r/${file}`), expected(FILES[file] ?? ""));
    assert(said.length < 1_500, `${said.length} characters`);
  });
}

Deno.test("there are thirty of them, and more", () => assert(MISTAKES.length >= 30, `${MISTAKES.length}`));
