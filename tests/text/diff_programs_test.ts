/** Diffs and patches judged by the usual programs: git, and `patch` if it is installed. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "../../src/text/diff.ts";
import { applyPatch } from "../../src/text/patch.ts";
import { needs, withGit } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

type Pair = [before: string, after: string];

/** Texts of one kind of ending, or of a mixture, that have much in common. */
function pairs(endings: string[], extra: string[] = []): Pair[] {
  const line = fc.tuple(fc.constantFrom("", "a", "b", "c", " d", "-- e", "++ f", "@@ g", "ü", ...extra));
  const text = fc.array(fc.tuple(line, fc.constantFrom(...endings)).map((parts) => parts.join("")), {
    maxLength: 25,
  });
  const edit = fc.tuple(fc.nat(24), fc.nat(3), text.map((lines) => lines.slice(0, 3)));
  const pair = fc.tuple(text, fc.array(edit, { maxLength: 4 }), fc.boolean(), fc.boolean()).map(
    ([lines, edits, endsBefore, endsAfter]): Pair => {
      const after = [...lines];
      for (const [at, count, more] of edits) after.splice(at, count, ...more);
      const cut = (all: string[], ends: boolean) => ends ? all.join("") : all.join("").replace(/\r?\n$/, "");
      return [cut(lines, endsBefore), cut(after, endsAfter)];
    },
  );
  return fc.sample(pair, { numRuns: 150, seed: 20260101 });
}

function run(folder: TempFolder, program: string, args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command(program, {
    args,
    cwd: folder.path,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_CEILING_DIRECTORIES: folder.path },
  }).outputSync();
  const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const isDiff = program === "diff" || args[0] === "diff";
  if (code > (isDiff ? 1 : 0)) throw new Error(`${program}: ${text(stdout)}${text(stderr)}`);
  return text(stdout);
}

/** One run of `git diff` for all pairs; undefined if the two are the same. */
function gitDiffs(all: readonly Pair[], options: string[]): (string | undefined)[] {
  using folder = tempFolder();
  for (const [i, [before, after]] of all.entries()) {
    folder.write(`before/${i}`, before);
    folder.write(`after/${i}`, after);
  }
  const output = run(folder, "git", ["diff", "--no-index", "--text", ...options, "before", "after"]);
  const diffs = new Map(
    output.split(/^(?=diff --git )/m).map((diff) => [/^diff --git a\/before\/(\d+) /.exec(diff)?.[1], diff]),
  );
  return all.map((_, i) => diffs.get(String(i)));
}

const toCrlf = (text: string) => text.replaceAll("\n", "\r\n");

Deno.test(
  withGit("applyPatch returns what git compared when it applies git's diffs of mixed endings"),
  () => {
    const all = pairs(["\n", "\n", "\r\n"], ["x\ry", "\uFEFF"]);
    for (const options of [["-U3"], ["-U1", "--patience"]]) {
      for (const [i, diff] of gitDiffs(all, options).entries()) {
        const [before, after] = all[i] ?? ["", ""];
        assertEquals(diff === undefined, before === after);
        if (diff !== undefined) assertEquals(applyPatch(before, diff).text, after, diff);
      }
    }
  },
);

Deno.test(
  withGit("applyPatch returns what git compared, in the endings of the file, when the patch has others"),
  () => {
    const all = pairs(["\n"]);
    for (const options of [["-U3"], ["-U0"]]) {
      for (const [i, diff] of gitDiffs(all, options).entries()) {
        const [before, after] = all[i] ?? ["", ""];
        if (diff === undefined) continue;
        assertEquals(applyPatch(before, diff).text, after, diff);
        assertEquals(applyPatch(before, toCrlf(diff)).text, after, diff);
        if (!before.includes("\n")) continue;
        assertEquals(applyPatch(toCrlf(before), diff).text, toCrlf(after), diff);
        assertEquals(applyPatch(toCrlf(before), toCrlf(diff)).text, toCrlf(after), diff);
      }
    }
  },
);

const ODD_NAMES = [
  "with space",
  "t\tab",
  'quo"te',
  "back\\slash",
  "naïve",
  "-dash",
  "deep/er/x y",
  " lead",
];

/** Applies all the diffs to the old texts in one run of a program, and compares with the new texts. */
function judge(program: string, args: string[]): void {
  using folder = tempFolder();
  const all = pairs(["\n", "\n", "\r\n"], ["x\ry", "\uFEFF"]);
  const files = new Map(all.map((pair, i) => [`f${i}`, pair]));
  files.set("repeats", ["0\n1\n" + "a\n".repeat(200) + "end\n", "x\n1\n" + "a\n".repeat(201) + "end\n"]);
  for (const name of ODD_NAMES) files.set(name, ["a\nb\n", "a\nc\n"]);
  for (const [name, [before]] of files) folder.write(name, before);
  const diffs = [...files].map(([path, [before, after]]) => unifiedDiff(before, after, { path }));
  folder.write("all.patch", diffs.join(""));
  run(folder, program, args);
  for (const [name, [before, after]] of files) {
    assertEquals(folder.read(name), after, unifiedDiff(before, after, { path: name }));
  }
}

Deno.test(withGit("unifiedDiff writes what git apply accepts"), () => {
  judge("git", ["apply", "--whitespace=nowarn", "all.patch"]);
});

Deno.test({
  ...needs("patch")("unifiedDiff writes what patch accepts, exactly where it says"),
  fn: () => judge("patch", ["-p1", "--fuzz=0", "--batch", "--silent", "--binary", "--input=all.patch"]),
});

/** With different counts in every header, as somebody who counts badly would write them. */
function miscounted(diff: string): string {
  let turn = 0;
  return diff.replaceAll(/^@@ -(\d+)\S* \+(\d+)\S* @@/gm, (_, old, made) => {
    turn++;
    return `@@ -${old},${turn % 5} +${made},${(turn * 3) % 7} @@`;
  });
}

Deno.test(withGit("applyPatch recounts hunks like git apply --recount, with the same result"), () => {
  using folder = tempFolder();
  // Without lines that make a hunk's body look like the names of another file.
  const plain = (text: string) => text.replaceAll(/^(--|\+\+) /gm, "");
  const files = pairs(["\n"]).map((pair) => pair.map(plain)).filter(([before, after]) => before !== after);
  const diffs = files.map(([before = "", after = ""], i) => {
    folder.write(`f${i}`, before);
    return `diff --git a/f${i} b/f${i}\n${miscounted(unifiedDiff(before, after, { path: `f${i}` }))}`;
  });
  folder.write("all.patch", diffs.join(""));
  run(folder, "git", ["apply", "--recount", "--whitespace=nowarn", "all.patch"]);
  for (const [i, [before = "", after = ""]] of files.entries()) {
    assertEquals(folder.read(`f${i}`), after, diffs[i]);
    assertEquals(applyPatch(before, diffs[i] ?? "").text, after, diffs[i]);
  }
  assertEquals(files.length > 50, true);
});

/** Diffs of texts with lines added in front: if one place is the nearest, all programs agree on it. */
function judgeMoved(program: string, args: string[]): void {
  using folder = tempFolder();
  // To git, a hunk with less context than usual is at the beginning or the end of the file.
  const padded = (text: string) => `1\n2\n3\n4\n${text.replace(/[^\n]$/, "$&\n")}5\n6\n7\n8\n`;
  const moved = pairs(["\n"]).flatMap(([before, after], i) => {
    const diff = unifiedDiff(padded(before), padded(after), { path: `f${i}` });
    const text = "new\n".repeat(1 + i % 9) + padded(before);
    try {
      return diff === "" || before === ""
        ? []
        : [{ name: `f${i}`, text, diff, expected: applyPatch(text, diff) }];
    } catch {
      return []; // ambiguous
    }
  });
  const sure = moved.filter(({ expected }) => expected.notes.length === 0);
  for (const { name, text } of sure) folder.write(name, text);
  folder.write("all.patch", sure.map(({ diff }) => diff).join(""));
  run(folder, program, args);
  for (const { name, diff, expected } of sure) assertEquals(folder.read(name), expected.text, diff);
  assertEquals(sure.length > 30, true, `${sure.length}`);
}

Deno.test(withGit("applyPatch finds moved hunks where git apply does, when one place is the nearest"), () => {
  judgeMoved("git", ["apply", "--whitespace=nowarn", "all.patch"]);
});

Deno.test({
  ...needs("patch")("applyPatch finds moved hunks where patch does, when one place is the nearest"),
  fn: () =>
    judgeMoved("patch", [
      "-p1",
      "--fuzz=0",
      "--batch",
      "--silent",
      "--no-backup-if-mismatch",
      "--input=all.patch",
    ]),
});

Deno.test({
  ...needs("diff")("applyPatch returns what diff -u compared"),
  fn() {
    using folder = tempFolder();
    const [before, after] = ["a\nb\nc", "a\nB\nc\nd\n"];
    folder.write("old name", before);
    folder.write("new", after);
    assertEquals(applyPatch(before, run(folder, "diff", ["-u", "old name", "new"])).text, after);
    assertEquals(applyPatch(before, run(folder, "diff", ["-U0", "old name", "new"])).text, after);
  },
});
