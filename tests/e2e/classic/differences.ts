/**
 * What the classic surface deliberately does differently from the official server: one entry for each row of the
 * table in docs/guides/classic.md, by its name. Each shows what both servers do.
 */
import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import type { Message, TestServer } from "../../support/server.ts";
import { LATIN1 } from "./trees.ts";

export interface Side {
  readonly server: TestServer;
  /** The folder around the tree, and the tree, which is served. */
  readonly folder: string;
  readonly root: string;
}

export interface Both {
  readonly official: Side;
  readonly classic: Side;
}

export interface Answer {
  text: string;
  /** Every text after the first. */
  notes: string[];
  isError: boolean;
}

function answerOf({ result, error }: Message): Answer {
  if (error !== undefined) return { text: `${error.code} ${error.message}`, notes: [], isError: true };
  const [text = "", ...notes] = result.content.map((block: { text?: string }) => block.text ?? "");
  return { text, notes, isError: result.isError ?? false };
}

async function call({ server }: Side, name: string, args: Record<string, unknown>): Promise<Answer> {
  return answerOf(await server.request("tools/call", { name, arguments: args }));
}

/** The same call to both, with `$` for the tree; returns the official server's answer first. */
async function ask(
  both: Both,
  name: string,
  args: (root: string) => Record<string, unknown>,
): Promise<[Answer, Answer]> {
  const { official, classic } = both;
  return [
    await call(official, name, args(official.root)),
    await call(classic, name, args(classic.root)),
  ];
}

/** A file in both trees. */
function put({ official, classic }: Both, name: string, content: string | Uint8Array): void {
  for (const { root } of [official, classic]) {
    const path = `${root}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
}

function edit(path: string, ...pairs: [oldText: string, newText: string][]) {
  return (root: string) => ({
    path: `${root}/${path}`,
    edits: pairs.map(([oldText, newText]) => ({ oldText, newText })),
  });
}

function read({ root }: Side, name: string): string {
  return Deno.readTextFileSync(`${root}/${name}`);
}

/** The one that needs a program to set it up. */
export const WITH_A_PIPE = "devices and pipes";

export const DIFFERENCES: Record<string, (both: Both) => Promise<void>> = {
  "ambiguous text": async (both) => {
    put(both, "twice.txt", "same\nother\nsame\n");
    const [theirs, ours] = await ask(both, "edit_file", edit("twice.txt", ["same", "changed"]));
    assertEquals([theirs.isError, read(both.official, "twice.txt")], [false, "changed\nother\nsame\n"]);
    assertEquals([ours.isError, read(both.classic, "twice.txt")], [true, "same\nother\nsame\n"]);
    assertMatch(ours.text, /^edits\[0\]\.oldText is 2 times in ".*":\n1:same\n3:same\nNothing was changed\./);
    put(both, "blanks.txt", "  same\nother\n    same\n");
    const [, flexible] = await ask(both, "edit_file", edit("blanks.txt", ["\tsame", "changed"]));
    assertMatch(flexible.text, /^edits\[0\]\.oldText is 2 times/);
    assertEquals(read(both.official, "blanks.txt"), "  changed\nother\n    same\n");
    assertEquals(read(both.classic, "blanks.txt"), "  same\nother\n    same\n");
  },
  "empty text": async (both) => {
    put(both, "full.txt", "content\n");
    const [, ours] = await ask(both, "edit_file", edit("full.txt", ["", "x"]));
    assertEquals(read(both.official, "full.txt"), "xcontent\n");
    assertEquals([ours.isError, read(both.classic, "full.txt")], [true, "content\n"]);
    assertMatch(ours.text, /^edits\[0\]\.oldText is empty; give text of the file, or use write_file/);
  },
  "text that is not there": async (both) => {
    put(both, "near.txt", "const first = 1;\nconst second = 2;\n");
    const [theirs, ours] = await ask(both, "edit_file", edit("near.txt", ["const secnd = 2;", "x"]));
    assertEquals(theirs.text, "Could not find exact match for edit:\nconst secnd = 2;");
    assert(ours.text.startsWith(`${theirs.text}\n\nThe nearest match is line 2`), ours.text);
    assertStringIncludes(ours.text, "const second = 2;");
  },
  "line endings": async (both) => {
    put(both, "crlf.txt", "one\r\ntwo\r\nthree\r\n");
    const edits = edit("crlf.txt", ["two\nthree", "2\n2b\n3"]);
    const [theirs, ours] = await ask(both, "edit_file", edits);
    assertEquals(read(both.official, "crlf.txt"), "one\n2\n2b\n3\n");
    assertEquals(read(both.classic, "crlf.txt"), "one\r\n2\r\n2b\r\n3\r\n");
    assertEquals(
      ours.text.replaceAll(both.classic.root, ""),
      theirs.text.replaceAll(both.official.root, ""), // the diff uses LF
    );
    put(both, "crlf2.txt", "  one\r\n  two\r\n");
    await ask(both, "edit_file", edit("crlf2.txt", ["one\ntwo", "1\n2\n3"]));
    assertEquals(read(both.classic, "crlf2.txt"), "  1\r\n2\r\n3\r\n");
  },
  "bytes that are not UTF-8": async (both) => {
    put(both, "latin1.txt", LATIN1);
    const [theirs, ours] = await ask(both, "read_text_file", (root) => ({ path: `${root}/latin1.txt` }));
    assertEquals([theirs.text, ours.text], ["caf\ufffd\n", "caf\ufffd\n"]);
    assertMatch(ours.notes.join(), /^not valid UTF-8: .* Do not write this text back/);
    const [, edited] = await ask(both, "edit_file", edit("latin1.txt", ["caf", "tea"]));
    assertMatch(edited.text, /not valid UTF-8, and editing it as text would destroy/);
    assertEquals(Deno.readFileSync(`${both.classic.root}/latin1.txt`), LATIN1);
    assertNotEquals(Deno.readFileSync(`${both.official.root}/latin1.txt`).length, LATIN1.length);
  },
  "text that is not Unicode": async (both) => {
    const [theirs, ours] = await ask(
      both,
      "write_file",
      (root) => ({ path: `${root}/half.txt`, content: "\ud800" }),
    );
    assertEquals([theirs.isError, ours.isError], [false, true]);
    assertStringIncludes(ours.text, "holds a lone surrogate");
  },
  "edits at once": async ({ classic }) => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}.`);
    Deno.writeTextFileSync(`${classic.root}/many.txt`, lines.join("\n"));
    await Promise.all(
      lines.map((line) =>
        call(classic, "edit_file", edit("many.txt", [line, line.toUpperCase()])(classic.root))
      ),
    );
    assertEquals(read(classic, "many.txt"), lines.join("\n").toUpperCase());
  },
  "moving a link": async (both) => {
    put(both, "target.txt", "target\n");
    for (const { root } of [both.official, both.classic]) Deno.symlinkSync("target.txt", `${root}/a_link`);
    await ask(both, "move_file", (root) => ({ source: `${root}/a_link`, destination: `${root}/moved_link` }));
    assertEquals(Deno.lstatSync(`${both.official.root}/moved_link`).isFile, true); // and the link leads nowhere
    assertEquals(Deno.readLinkSync(`${both.classic.root}/moved_link`), "target.txt");
    assertEquals(read(both.classic, "target.txt"), "target\n");
  },
  "links that lead out": async (both) => {
    for (const { root, folder } of [both.official, both.classic]) {
      Deno.mkdirSync(`${root}/links`);
      Deno.symlinkSync(`${folder}/outside/secret.txt`, `${root}/links/out`);
      Deno.symlinkSync("nowhere", `${root}/links/dangling`);
    }
    const [theirs, ours] = await ask(both, "read_text_file", (root) => ({ path: `${root}/links/out` }));
    assertStringIncludes(theirs.text, `${both.official.folder}/outside/secret.txt`);
    assertEquals(
      ours.text,
      `Access denied - symlink target outside allowed directories: ${both.classic.root}/links/out not in ` +
        both.classic.root,
    );
    const [, dangling] = await ask(
      both,
      "write_file",
      (root) => ({ path: `${root}/links/dangling`, content: "x" }),
    );
    assertMatch(dangling.text, /^Access denied - .*a symbolic link on the way leads nowhere/);
    const [told, kept] = await ask(both, "list_directory_with_sizes", (root) => ({ path: `${root}/links` }));
    assertStringIncludes(told.text, "7 B"); // the size of a file outside
    assertStringIncludes(kept.text, "Combined size: 0 B");
  },
  "git folders": async (both) => {
    put(both, "repo/.git/config", "[core]\n");
    const path = (root: string) => `${root}/repo/.git/config`;
    const [, read] = await ask(both, "read_text_file", (root) => ({ path: path(root) }));
    assertEquals(read.text, "[core]\n");
    const [theirs, ours] = await ask(both, "write_file", (root) => ({ path: path(root), content: "hook" }));
    assertEquals([theirs.isError, ours.isError], [false, true]);
    assertStringIncludes(ours.text, "it can be read but not changed");
  },
  "sizes": async (both) => {
    put(both, "huge.txt", new Uint8Array(11 * 1024 * 1024).fill(0x61));
    const [, ours] = await ask(both, "read_text_file", (root) => ({ path: `${root}/huge.txt` }));
    assertMatch(
      ours.text,
      /^File too large \(.*set by the server's --max-size\): .*; read_text_file with head or tail/,
    );
    for (const { root } of [both.official, both.classic]) Deno.removeSync(`${root}/huge.txt`);
  },
  [WITH_A_PIPE]: async ({ classic }) => {
    await new Deno.Command("mkfifo", { args: [`${classic.root}/pipe`] }).output(); // the official one waits for ever there
    const { text, isError } = await call(classic, "read_text_file", { path: `${classic.root}/pipe` });
    assertEquals(isError, true);
    assertStringIncludes(text, "not a regular file");
    Deno.removeSync(`${classic.root}/pipe`);
  },
  "writing to a directory": async (both) => {
    const [theirs, ours] = await ask(both, "write_file", (root) => ({ path: `${root}/sub`, content: "x" }));
    assertMatch(theirs.text, /^EISDIR: illegal operation on a directory, rename '.*\.tmp' -> /);
    assertEquals(ours.text, `EISDIR: illegal operation on a directory, open '${both.classic.root}/sub'`);
  },
  "arguments as they are meant": async (both) => {
    put(both, "lines.txt", "one\ntwo\n");
    const args = (root: string) => ({ path: `${root}/lines.txt`, head: "1", tail: null });
    const [theirs, ours] = await ask(both, "read_text_file", args);
    assertEquals([theirs.isError, ours.isError, ours.text], [true, false, "one"]);
    const [, listed] = await ask(both, "read_multiple_files", (root) => ({ paths: `["${root}/lines.txt"]` }));
    assertEquals(listed.isError, false);
  },
  "unknown tools": async (both) => {
    const [theirs, ours] = await ask(both, "nope", () => ({}));
    assertEquals(theirs.text, "MCP error -32602: Tool nope not found");
    assertMatch(ours.text, /^-32602 Unknown tool: nope; known: read_file, /);
  },
  "patterns": async ({ classic }) => {
    for (const pattern of ["**/+(a|b)", "[[:alpha:]]*", "{1..9999}"]) {
      const ours = await call(classic, "search_files", { path: classic.root, pattern });
      assertMatch(ours.text, /^Invalid pattern/, pattern);
    }
    // Takes half a minute and more in a server that tries every possible match.
    const pattern = `${"*a".repeat(40)}b`;
    Deno.writeTextFileSync(`${classic.root}/${"a".repeat(120)}`, "");
    const hard = await call(classic, "search_files", { path: classic.root, pattern });
    assertEquals(hard.text, "No matches found");
  },
  "names that are not UTF-8": async ({ classic }) => {
    const script = `mkdir "$1/odd" && : > "$1/odd/$(printf 'caf\\351')" && : > "$1/odd/plain"`;
    const made = await new Deno.Command("sh", { args: ["-c", script, "sh", classic.root] }).output();
    assert(made.success);
    const { text, notes } = await call(classic, "list_directory", { path: `${classic.root}/odd` });
    assertEquals([text, notes], ["[FILE] plain", [
      "1 more with names that are not valid UTF-8, which no tool can access",
    ]]);
    await new Deno.Command("rm", { args: ["-r", `${classic.root}/odd`] }).output();
  },
  "diffs of equal lines": async (both) => {
    put(both, "brackets.txt", "    if (x) {\n        y;\n    }\n}\n");
    const edits = edit("brackets.txt", ["if (x) {\n  y;\n}", "if (z) {\n  y;\n}"]);
    const [theirs, ours] = await ask(both, "edit_file", edits);
    assertEquals(read(both.classic, "brackets.txt"), read(both.official, "brackets.txt"));
    const changed = (text: string) => text.split("\n").filter((line) => /^[-+] /.test(line)).length;
    assertEquals(changed(ours.text), changed(theirs.text)); // as many lines, though perhaps the other of two equal ones
  },
  "names in errors": async (both) => {
    const path = (root: string) => ({ path: `${root}/a\nb.txt` });
    const [theirs, ours] = await ask(both, "read_text_file", path);
    assertStringIncludes(theirs.text, "a\nb.txt");
    assertEquals([ours.isError, ours.text.includes("\n")], [true, false]);
  },
  "paddock's own names": async ({ classic }) => {
    const path = `${classic.root}/.paddock-${"0".repeat(20)}.tmp`;
    const { text, isError } = await call(classic, "write_file", { path, content: "x" });
    assertEquals(isError, true);
    assertStringIncludes(text, "a name that paddock reserves for its own use");
  },
};
