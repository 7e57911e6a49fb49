/**
 * Mistakes that models make with apply_changes, and a few more with patch_file: corrected mechanically, from the text
 * of the error alone, as in model_mistakes_test.ts.
 */
import { assert, assertEquals } from "@std/assert";
import { undoSetup } from "../../engine/undo/setup.ts";
import { withNames } from "../../support/with_names.ts";
import { FILES } from "./mistake_files.ts";

type Call = Record<string, unknown>;
type Change = Record<string, unknown>;
type Edit = Record<string, unknown>;

interface Mistake {
  what: string;
  tool?: "apply_changes" | "patch_file";
  args: Call;
  /** What the model wants done to the right text, once it has seen it. */
  change?: (text: string) => string;
  /** Which of several places it means. */
  means?: number | "all";
  /** What it means by an invented argument or value: the error has to name the right one. */
  words?: Record<string, string>;
  /** What it had forgotten. */
  adds?: Change;
  file: string;
  /** Undefined for a file that should be gone. */
  expected: (content: string) => string | undefined;
}

const all = (...changes: Change[]): Call => ({ root: "r", changes });
const edit = (path: string, ...edits: Edit[]): Change => ({ op: "edit", path, edits });
const one = (old_text: string, new_text: string, more: Edit = {}): Edit => ({ old_text, new_text, ...more });
const swap = (from: string, to: string) => (text: string) => text.replace(from, to);
const note: Change = { op: "write", path: "NOTE.md", content: "note\n" };

const MISTAKES: Mistake[] = [
  {
    what: "spaces for tabs in the second change",
    args: all(note, edit("src/app.ts", one("    let sum = 0;\n    for (const", ""))),
    change: swap("0", "1"),
    file: "src/app.ts",
    expected: swap("sum = 0", "sum = 1"),
  },
  {
    what: "a stale line in the second edit of a change",
    args: all(
      edit("src/app.ts", one("let sum", "let all"), one("\t\tsum += item.price * item.amount;", "")),
    ),
    change: swap("item.count", "item.number"),
    file: "src/app.ts",
    expected: (text) => text.replace("let sum", "let all").replace("item.count", "item.number"),
  },
  {
    what: "a line that an earlier change has changed",
    args: all(
      edit("src/add.py", one("def sub(a, b):", "def minus(a, b):")),
      edit("src/add.py", one("def sub(a, b):\n    return a - b", "")),
    ),
    change: swap("a - b", "b - a"),
    file: "src/add.py",
    expected: (text) => text.replace("def sub", "def minus").replace("a - b", "b - a"),
  },
  {
    what: "other quotation marks",
    args: all(edit("src/app.ts", one("import { read } from './read.ts';", ""))),
    change: swap("read.ts", "readers.ts"),
    file: "src/app.ts",
    expected: swap("./read.ts", "./readers.ts"),
  },
  {
    what: "a missing line in a file with CRLF",
    args: all(edit("conf/server.ini", one("host = a\r\n[client]", ""))),
    change: swap("host = a", "host = b"),
    file: "conf/server.ini",
    expected: swap("host = a", "host = b"),
  },
  {
    what: "a text that occurs twice, one place meant",
    args: all(note, edit("conf/server.ini", one("port = 80", "port = 81"))),
    means: 6,
    file: "conf/server.ini",
    expected: swap("[client]\r\nport = 80", "[client]\r\nport = 81"),
  },
  {
    what: "a text that occurs twice, both places meant",
    args: all(edit("conf/server.ini", one("port = 80", "port = 81"))),
    means: "all",
    file: "conf/server.ini",
    expected: (text) => text.replaceAll("port = 80", "port = 81"),
  },
  {
    what: "a path in another folder",
    args: all(note, edit("lib/add.py", one("return b", "return a"))),
    file: "src/add.py",
    expected: swap("return b", "return a"),
  },
  {
    what: "a source in another folder",
    args: all({ op: "move", source: "add.py", destination: "src/plus.py" }),
    file: "src/add.py",
    expected: () => undefined,
  },
  {
    what: "a file by a name that it lost in an earlier change",
    args: all(
      { op: "move", source: "src/add.py", destination: "src/plus.py" },
      edit("src/add.py", one("return b", "return a")),
    ),
    file: "src/plus.py",
    expected: () => FILES["src/add.py"]?.replace("return b", "return a"),
  },
  {
    what: "a stale hash",
    args: all({ ...edit("src/add.py", one("return b", "return a")), expected_hash: "0".repeat(64) }),
    file: "src/add.py",
    expected: swap("return b", "return a"),
  },
  {
    what: "argument names of other programs in an edit",
    args: all({
      op: "edit",
      path: "src/add.py",
      edits: [{ old_string: "return b", new_string: "return a" }],
    }),
    words: { old_string: "old_text", new_string: "new_text" },
    file: "src/add.py",
    expected: swap("return b", "return a"),
  },
  {
    what: "another name for the kind of change",
    args: all({ type: "delete", path: "README.md" }),
    words: { type: "op" },
    file: "README.md",
    expected: () => undefined,
  },
  {
    what: "a kind of change with another name",
    args: all({ op: "create", path: "new/a.txt", content: "a\n" }),
    words: { create: "write" },
    file: "new/a.txt",
    expected: () => "a\n",
  },
  {
    what: "other names for the two paths of a move",
    args: all({ op: "move", from: "README.md", to: "docs/README.md" }),
    words: { from: "source", to: "destination" },
    file: "docs/README.md",
    expected: () => FILES["README.md"],
  },
  {
    what: "a path where a move has a source",
    args: all({ op: "move", path: "README.md", destination: "docs/README.md" }),
    words: { path: "source" },
    file: "docs/README.md",
    expected: () => FILES["README.md"],
  },
  {
    what: "no content to write",
    args: all({ op: "write", path: "new/a.txt" }),
    adds: { content: "a\n" },
    file: "new/a.txt",
    expected: () => "a\n",
  },
  {
    what: "a slash after the name of a file",
    args: all({ op: "write", path: "new/a.txt/", content: "a\n" }),
    file: "new/a.txt",
    expected: () => "a\n",
  },
  {
    what: "one change that is not in a list",
    args: { root: "r", changes: { op: "delete", path: "README.md" } },
    file: "README.md",
    expected: () => undefined,
  },
  {
    what: "an unknown root",
    args: { ...all({ op: "delete", path: "README.md" }), root: "project" },
    file: "README.md",
    expected: () => undefined,
  },
  {
    what: "a patch whose lines occur twice",
    tool: "patch_file",
    args: { root: "r", path: "conf/server.ini", patch: "@@\n-port = 80\n+port = 81\n" },
    means: 6,
    file: "conf/server.ini",
    expected: swap("[client]\r\nport = 80", "[client]\r\nport = 81"),
  },
  {
    what: "a patch with other quotation marks",
    tool: "patch_file",
    args: { root: "r", path: "src/app.ts", patch: "@@\n-import { read } from './read.ts';\n+x\n" },
    change: swap("read.ts", "readers.ts"),
    file: "src/app.ts",
    expected: swap("./read.ts", "./readers.ts"),
  },
  {
    what: "a patch with a missing context line",
    tool: "patch_file",
    args: {
      root: "r",
      path: "src/add.py",
      patch: "@@ -3,3 +3,3 @@\n-    return b\n+    return a\n def sub(a, b):\n",
    },
    change: swap("return b", "return a"),
    file: "src/add.py",
    expected: swap("return b\n", "return a\n"),
  },
];

/** The next call, made from the last one and its error. */
function mended(call: Call, said: string, mistake: Mistake): Call {
  const { change, means, words = {}, adds, tool = "apply_changes" } = mistake;
  const changes = (call.changes ?? []) as Change[];
  const at = Number(/changes\[(\d+)\]/.exec(said)?.[1] ?? 0);
  const withChange = (mend: Change) => ({
    ...call,
    changes: changes.map((given, i) => i === at ? { ...given, ...mend } : given),
  });
  const withEdit = (mend: Edit) => {
    const which = Number(/\.edits\[(\d+)\]/.exec(said)?.[1] ?? 0);
    const edits = (changes[at]?.edits ?? []) as Edit[];
    return withChange({ edits: edits.map((given, i) => i === which ? { ...given, ...mend } : given) });
  };
  const wrong = Object.entries(words).filter(([word]) => said.includes(word));
  if (wrong.length > 0) {
    for (const [, right] of wrong) assert(new RegExp(`\\b${right}\\b`).test(said), `${right}: ${said}`);
    const pattern = new RegExp(`"(${wrong.map(([word]) => word).join("|")})"`, "g");
    const text = JSON.stringify(call).replace(pattern, (_, word: string) => `"${words[word]}"`);
    return JSON.parse(text);
  }
  if (/changes must be a list/.test(said)) return { ...call, changes: [call.changes] };
  if (adds !== undefined) {
    for (const name of Object.keys(adds)) assert(said.includes(`.${name} is required`), said);
    return withChange(adds);
  }
  const roots = /known roots: (\S+?)(?=[ ,(]|$)/.exec(said)?.[1];
  if (roots !== undefined) return { ...call, root: roots };
  const key = changes[at]?.source === undefined ? "path" : "source";
  const path = /did you mean (\S+?)(?: or .*)?\?/.exec(said)?.[1] ??
    /moved it to "(.*?)"/.exec(said)?.[1];
  if (path !== undefined) return withChange({ [key]: path });
  if (/leave out the trailing slash/.test(said)) {
    return withChange({ [key]: String(changes[at]?.[key]).replace(/\/$/, "") });
  }
  const hash = /its hash is now (\w{64})/.exec(said)?.[1];
  if (hash !== undefined) return withChange({ expected_hash: hash });
  if (tool === "patch_file" && means !== undefined) {
    assert(new RegExp(`\\b${means}\\b`).test(said), said);
    return { ...call, patch: String(call.patch).replace(/^@@\n/, `@@ -${means} +${means} @@\n`) };
  }
  if (/ times in /.test(said)) {
    assert(means === "all" || new RegExp(`^${means}:`, "m").test(said), said);
    return withEdit(means === "all" ? { replace_all: true } : { near_line: means });
  }
  const [, , block] = /(`{3,})\n([^]*?)\n\1/.exec(said) ?? [];
  assert(block !== undefined && change !== undefined, `nothing to go by: ${said}`);
  if (tool === "apply_changes") return withEdit({ old_text: block, new_text: change(block) });
  const lines = (text: string, mark: string) => text.split("\n").map((line) => `${mark}${line}\n`).join("");
  return { ...call, patch: `@@\n${lines(block, "-")}${lines(change(block), "+")}` };
}

Deno.test("apply_changes and patch_file say enough to correct what models do wrong", async (t) => {
  for (const mistake of MISTAKES) {
    const { what, tool = "apply_changes", args, file, expected } = mistake;
    await t.step(`${tool}: ${what}`, async () => {
      await using setup = undoSetup({ inMemory: true });
      for (const [name, content] of Object.entries(FILES)) setup.write(name, content);
      const said = await withNames(() => setup.refusal(tool, args));
      for (const [name, content] of Object.entries(FILES)) assertEquals(setup.read(name), content);
      assert(!setup.exists("NOTE.md") && !setup.exists("new"), "a failed call changes nothing");
      const next = mended(args, said, mistake);
      await setup.call(tool, next).catch((error) => {
        throw new Error(`${said}\n--- then ${JSON.stringify(next)}\n${error.message}`);
      });
      const wanted = expected(FILES[file] ?? "");
      assertEquals(setup.exists(file) ? setup.read(file) : undefined, wanted);
      assert(said.length < 1_500, `${said.length} characters`);
    });
  }
});
