/**
 * Mistakes that models make in a workspace. Each is corrected mechanically, from the text of the error alone: the
 * second call is written from it and from what the model wants, never from the files.
 */
import { assert, assertEquals } from "@std/assert";
import { tempFolder } from "../../support/temp.ts";
import { withNames } from "../../support/with_names.ts";
import { workspacesSurface } from "./setup.ts";

const FILES: Record<string, string> = {
  "src/app.ts":
    "export function total(items) {\n\tlet sum = 0;\n\tfor (const item of items) {\n\t\tsum += item;\n\t}\n" +
    "\treturn sum;\n}\n\nconst message = 'It\u2019s done';\nconst other  = 1;\n",
  "conf/server.ini": "[server]\r\nport = 80\r\n\r\n[client]\r\nport = 80\r\n",
  "docs/guide.md": "# Guide\n\nold words\n",
};

type Args = Record<string, unknown>;

interface Mistake {
  what: string;
  tool: string;
  args: Args;
  /** The right call, from what the error says and what the model wants. */
  mend(message: string, args: Args): { tool?: string; args: Args };
  file: string;
  expected: string | undefined;
}

const edits = (oldText: string, newText: string, more: Args = {}) => [{ oldText, newText, ...more }];
const swapped = (file: string, from: string, to: string) => (FILES[file] ?? "").replace(from, to);

/** The lines of the file that an error shows, between its fences. */
function shownIn(message: string): string {
  const [, text] = /```\n([^]*?)\n```/.exec(message) ?? [];
  assert(text !== undefined, message);
  return text;
}

/** The number of the line that an error lists with this text. */
function lineIn(message: string, number: number): number {
  const lines = [...message.matchAll(/^(\d+):/gm)].map(([, line]) => Number(line));
  assert(lines.length > number, message);
  return lines[number] ?? 0;
}

/** Old text as the error shows it, with the wanted change. */
const asShown = (from: string, to: string) => (message: string, args: Args) => {
  const text = shownIn(message);
  assert(text.includes(from), message);
  return { args: { ...args, edits: edits(text, text.replace(from, to)) } };
};

const inChange = (mend: Mistake["mend"]) => (message: string, args: Args) => {
  const [, index = ""] = /changes\[(\d+)\]/.exec(message) ?? [];
  const changes = [...args.changes as Args[]];
  const change = changes[Number(index)] ?? {};
  changes[Number(index)] = mend(message, change).args;
  return { args: { ...args, changes } };
};

/** The example that an error gives, with what the model wants in it. */
const asExample = (wanted: Args) => (message: string) => {
  const [, example = "{}"] = /write it as (\{.*\})\. Nothing/.exec(message) ?? [];
  const { op, ...fields } = JSON.parse(example);
  assertEquals(Object.keys(fields).sort(), Object.keys(wanted).sort(), message);
  return { args: { op, ...wanted } };
};

const MISTAKES: Mistake[] = [
  {
    what: "spaces for tabs",
    tool: "fs_edit_file",
    args: { path: "src/app.ts", edits: edits("    let sum = 0;\n    for", "x") },
    mend: asShown("0", "1"),
    file: "src/app.ts",
    expected: swapped("src/app.ts", "sum = 0", "sum = 1"),
  },
  {
    what: "another quotation mark",
    tool: "fs_edit_file",
    args: { path: "src/app.ts", edits: edits("const message = 'It's done';", "x") },
    mend: asShown("done", "over"),
    file: "src/app.ts",
    expected: swapped("src/app.ts", "done", "over"),
  },
  {
    what: "one blank for two",
    tool: "fs_edit_file",
    args: { path: "src/app.ts", edits: edits("const other = 1;", "x") },
    mend: asShown("1", "2"),
    file: "src/app.ts",
    expected: swapped("src/app.ts", "other  = 1", "other  = 2"),
  },
  {
    what: "stale text",
    tool: "fs_edit_file",
    args: { path: "docs/guide.md", edits: edits("new words", "x") },
    mend: asShown("old", "fresh"),
    file: "docs/guide.md",
    expected: swapped("docs/guide.md", "old", "fresh"),
  },
  {
    what: "CRLF that is not there",
    tool: "fs_edit_file",
    args: { path: "docs/guide.md", edits: edits("# Guide\r\n\r\nold words", "x") },
    mend: (message, args) => asShown("old", "new")(message.replaceAll("\r", ""), args),
    file: "docs/guide.md",
    expected: swapped("docs/guide.md", "old", "new"),
  },
  {
    what: "ambiguous text, one place meant",
    tool: "fs_edit_file",
    args: { path: "conf/server.ini", edits: edits("port = 80", "port = 81") },
    mend: (message, args) => ({
      args: { ...args, edits: edits("port = 80", "port = 81", { nearLine: lineIn(message, 1) }) },
    }),
    file: "conf/server.ini",
    expected: "[server]\r\nport = 80\r\n\r\n[client]\r\nport = 81\r\n",
  },
  {
    what: "ambiguous text, all places meant",
    tool: "fs_edit_file",
    args: { path: "conf/server.ini", edits: edits("port = 80", "port = 81") },
    mend: (message, args) => {
      const [, name = ""] = /or (\w+): true/.exec(message) ?? [];
      return { args: { ...args, edits: edits("port = 80", "port = 81", { [name]: true }) } };
    },
    file: "conf/server.ini",
    expected: "[server]\r\nport = 81\r\n\r\n[client]\r\nport = 81\r\n",
  },
  {
    what: "an empty text",
    tool: "fs_edit_file",
    args: { path: "docs/guide.md", edits: edits("", "# All new\n") },
    mend: (message) => {
      const [, tool = ""] = /use (\w+) to replace all of it/.exec(message) ?? [];
      return { tool, args: { path: "docs/guide.md", content: "# All new\n" } };
    },
    file: "docs/guide.md",
    expected: "# All new\n",
  },
  {
    what: "a wrong path",
    tool: "fs_edit_file",
    args: { path: "guide.md", edits: edits("old", "new") },
    mend: (message, args) => {
      const [, path = ""] = /did you mean (\S+)\?/.exec(message) ?? [];
      return { args: { ...args, path } };
    },
    file: "docs/guide.md",
    expected: swapped("docs/guide.md", "old", "new"),
  },
  {
    what: "a patch with stale context",
    tool: "fs_patch_file",
    args: { path: "docs/guide.md", patch: "@@ -1,3 +1,3 @@\n # The guide\n \n-old word\n+new words\n" },
    mend: (message, args) => {
      const lines = shownIn(message).split("\n");
      const hunk = lines.map((line) => line === "old words" ? `-${line}\n+new words\n` : ` ${line}\n`).join(
        "",
      );
      return { args: { ...args, patch: `@@\n${hunk}` } };
    },
    file: "docs/guide.md",
    expected: swapped("docs/guide.md", "old", "new"),
  },
  {
    what: "a patch that deletes the file",
    tool: "fs_patch_file",
    args: {
      path: "docs/guide.md",
      patch: "--- a/docs/guide.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-# Guide\n-\n-old words\n",
    },
    mend: (message) => {
      const [, tool = ""] = /use (\w+) for that/.exec(message) ?? [];
      return { tool, args: { path: "docs/guide.md" } };
    },
    file: "docs/guide.md",
    expected: undefined,
  },
  {
    what: "a folder for a file",
    tool: "fs_delete_file",
    args: { path: "docs" },
    mend: (message, args) => {
      const [, name = ""] = /add (\w+): true/.exec(message) ?? [];
      return { args: { ...args, [name]: true } };
    },
    file: "docs/guide.md",
    expected: undefined,
  },
  {
    what: "an operation without its fields",
    tool: "fs_apply",
    args: {
      changes: [{ op: "write", path: "a" }, { op: "move", path: "docs/guide.md", destination: "g.md" }],
    },
    mend: (message, args) => {
      const isFirst = message.startsWith("changes[0]");
      const wanted = isFirst
        ? { path: "a", content: "1\n" }
        : { source: "docs/guide.md", destination: "g.md" };
      return inChange(asExample(wanted))(message, args);
    },
    file: "g.md",
    expected: FILES["docs/guide.md"],
  },
  {
    what: "an unknown operation",
    tool: "fs_apply",
    args: { changes: [{ op: "create", path: "new.txt", content: "1\n" }] },
    mend: (message, args) => {
      const [, ops = ""] = /must be one of: ([\w, ]+);/.exec(message) ?? [];
      const [op] = ops.split(", ").filter((name) => name === "write");
      return inChange((_, change) => ({ args: { ...change, op } }))("changes[0]", args);
    },
    file: "new.txt",
    expected: "1\n",
  },
  {
    what: "an edit of a file under its old name",
    tool: "fs_apply",
    args: {
      changes: [
        { op: "move", source: "docs", destination: "help" },
        { op: "edit", path: "docs/guide.md", edits: edits("old", "new") },
      ],
    },
    mend: inChange((message, change) => {
      const [, from = "", to = ""] = /; "([^"]+)" was moved to "([^"]+)" by changes\[0\]/.exec(message) ?? [];
      return { args: { ...change, path: String(change.path).replace(from, to) } };
    }),
    file: "help/guide.md",
    expected: swapped("docs/guide.md", "old", "new"),
  },
  {
    what: "an edit in a list that does not apply",
    tool: "fs_apply",
    args: {
      changes: [
        { op: "write", path: "a", content: "1\n" },
        { op: "edit", path: "docs/guide.md", edits: edits("older words", "x") },
      ],
    },
    mend: inChange(asShown("old", "new")),
    file: "docs/guide.md",
    expected: swapped("docs/guide.md", "old", "new"),
  },
  {
    what: "a destination that is taken",
    tool: "fs_apply",
    args: { changes: [{ op: "move", source: "docs/guide.md", destination: "src/app.ts" }] },
    mend: (message, args) => {
      assert(/or delete it first/.test(message), message);
      const [, path = ""] = /destination exists: "([^"]+)"/.exec(message) ?? [];
      return { args: { ...args, changes: [{ op: "delete", path }, ...args.changes as Args[]] } };
    },
    file: "src/app.ts",
    expected: FILES["docs/guide.md"],
  },
  {
    what: "a wrong path in a list",
    tool: "fs_apply",
    args: { changes: [{ op: "delete", path: "docs/Guide.md" }] },
    mend: inChange((message, change) => {
      const [, path = ""] = /did you mean (\S+)\?/.exec(message) ?? [];
      return { args: { ...change, path } };
    }),
    file: "docs/guide.md",
    expected: undefined,
  },
];

/** More than one mistake may be in a call: each is reported in turn. */
const MOST_TRIES = 3;

for (const text of ["json", "compact"] as const) {
  for (const { what, tool, args, mend, file, expected } of MISTAKES) {
    Deno.test(`the error alone is enough to correct a call (${text}): ${tool}, ${what}`, async () => {
      using folder = tempFolder({ inMemory: true });
      const { value, call } = workspacesSurface(folder.path, { text });
      const { workspaceId, path } = await value("workspace_create", { name: "w" });
      for (const [name, content] of Object.entries(FILES)) folder.write(`${workspaceId}/${name}`, content);
      let next: { tool?: string; args: Args } = { args };
      for (let tries = 0;; tries++) {
        let isError = false;
        const said = await withNames(async () => {
          const result = await call(next.tool ?? tool, { workspaceId, ...next.args });
          isError = result.isError === true;
          return result.content[0].text;
        });
        if (!isError) {
          assert(tries > 0, "the call was no mistake");
          break;
        }
        assert(tries < MOST_TRIES, said);
        const message = text === "json" ? JSON.parse(said).message : said.replace(/^\w+: /, "");
        for (const [name, before] of Object.entries(FILES)) {
          assertEquals(Deno.readTextFileSync(`${path}/${name}`), before);
        }
        next = { tool: next.tool ?? tool, ...mend(message, next.args) };
      }
      const isThere = await Deno.stat(`${path}/${file}`).then(() => true, () => false);
      assertEquals(isThere ? Deno.readTextFileSync(`${path}/${file}`) : undefined, expected);
    });
  }
}
