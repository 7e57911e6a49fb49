import { assert, assertEquals, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { fromBytes, isUtf8, toBytes } from "../../../../src/engine/history/objects/byte_names.ts";
import { ChangeCache, ChangeNotes, mayTouch } from "../../../../src/engine/history/change/change_cache.ts";
import { applyDelta } from "../../../../src/engine/history/objects/delta.ts";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { type ChangeRecord, Journal } from "../../../../src/engine/history/change/journal.ts";
import { Lru } from "../../../../src/engine/history/objects/lru.ts";
import { commitMessage, keepSummary } from "../../../../src/engine/history/change/message.ts";
import {
  commitOf,
  encodeCommit,
  IDENTITY,
  OUTSIDE,
  parseCommit,
} from "../../../../src/engine/history/objects/objects.ts";
import { summaryOf } from "../../../../src/engine/history/look/log.ts";
import { MAX_SCORE, piecesOf, similarity } from "../../../../src/engine/history/look/similarity.ts";
import type { Work } from "../../../../src/engine/history/change/work.ts";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace } from "../workspace.ts";

Deno.test("toBytes and fromBytes keep every name, and recognise those that are not UTF-8", () => {
  for (const name of ["plain", "ü", "\u{1f600}/日本", "tab\tnewline\n"]) {
    assertEquals(fromBytes(toBytes(name)), name);
    assert(isUtf8(toBytes(name)));
  }
  assertEquals(isUtf8("\xff\xfe"), false);
  assert(toBytes("\uffff") < toBytes("\u{10000}"), "git's order is that of bytes");
});

Deno.test("Lru drops what has not been used for longest, and stays within its limit", () => {
  const lru = new Lru<number>(10);
  for (let i = 0; i < 100; i++) {
    lru.set(`${i}`, i);
    assertEquals(lru.get("0"), 0, "it was asked for all the time");
  }
  assertEquals(lru.get("99"), 99);
  assertEquals(lru.get("50"), undefined);
  lru.set("heavy", 1, 11);
  assertEquals(lru.get("heavy"), undefined);
});

const DELTAS: [name: string, delta: number[], expected: string | RangeError][] = [
  ["copies and adds", [10, 8, 0x91, 2, 3, 2, 33, 34, 0x90, 3], '234!"012'],
  ["is for another object", [9, 1, 1, 65], new RangeError("a delta is for another object")],
  ["copies from beyond the end", [10, 4, 0x91, 8, 4], new RangeError("a delta copies from beyond the end")],
  ["is incomplete", [10, 4, 1, 65], new RangeError("a delta is incomplete")],
  ["ends too early", [10, 4, 0x91], new RangeError("a delta ends too early")],
  [
    "claims a result larger than memory",
    [10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 65],
    new RangeError("a delta is incomplete"),
  ],
];

for (const [name, delta, expected] of DELTAS) {
  Deno.test(`applyDelta returns the right result when a delta ${name}`, () => {
    const apply = () => applyDelta(Buffer.from("0123456789"), Buffer.from(delta)).toString();
    if (typeof expected === "string") assertEquals(apply(), expected);
    else assertThrows(apply, RangeError, expected.message);
  });
}

Deno.test(withGit("similarity agrees with git"), async () => {
  using work = await newWorkspace();
  const lines = Array.from({ length: 40 }, (_, i) => `the ${i}th line\r\n`);
  const texts = [
    lines.join(""),
    lines.toSpliced(5, 3).join(""),
    lines.map((line, i) => i % 3 === 0 ? `another ${line}` : line).join(""),
    lines.join("").replaceAll("\r", ""),
    "x".repeat(1000) + lines.slice(0, 30).join("") + "tail",
    String.fromCharCode(0) + lines.slice(4).join(""),
  ];
  for (const [i, text] of texts.entries()) {
    work.git("rm", "-rq", "--cached", "--ignore-unmatch", ".");
    work.write("before", texts[0] ?? "");
    work.git("add", "before");
    const tree = work.git("write-tree").trim();
    work.git("rm", "-q", "--cached", "before");
    work.write("after", text);
    work.git("add", "after");
    const [, percent] = /similarity index (\d+)%/.exec(work.git("diff", "--cached", "-M1%", tree)) ?? [];
    const of = (content: string) => {
      const bytes = new TextEncoder().encode(content);
      return { pieces: piecesOf(bytes), size: bytes.length };
    };
    const score = text === texts[0] ? MAX_SCORE : similarity(of(texts[0] ?? ""), of(text));
    assertEquals(Math.floor(score * 100 / MAX_SCORE), Number(percent ?? 0), `text ${i}`);
  }
});

Deno.test("ChangeCache finds the lines of commits, and ignores lines that a crash cut short", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((digit) => digit.repeat(40)) as [
    string,
    string,
    string,
    string,
  ];
  const notes = new ChangeNotes(git);
  notes.add(a, { parent: undefined, paths: ["x", 'odd\n"name'] });
  notes.write();
  Deno.writeTextFileSync(`${work.path}/.git/mcp/changes`, `\n${b} ${a} ["cut sh`, { append: true });
  notes.add(c, { parent: b, paths: Array.from({ length: 500 }, String) });
  notes.write();
  const cache = new ChangeCache(git);
  assertEquals(cache.find(d), undefined);
  assertEquals(cache.find(c), { parent: b, paths: undefined });
  assertEquals(cache.find(b), undefined);
  assertEquals(cache.find(a), { parent: undefined, paths: ["x", 'odd\n"name'] });
  for (const path of ["a/b", "a", "a/b/c"]) assert(mayTouch(["a/b"], path));
  for (const path of ["a/bc", "b", "a/c"]) assert(!mayTouch(["a/b"], path));
});

const RECORD: ChangeRecord = {
  mark: "a".repeat(40),
  ref: "refs/heads/main",
  old: null,
  base: null,
  new: "a".repeat(40),
  packs: [`pack-${"b".repeat(40)}`],
  work: [],
  touched: ["ü\n"],
};

Deno.test("Journal shows its records to another process, until they are dropped or cleared", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  const journal = new Journal(git);
  const read = () => new Journal(git).read();
  assertEquals(read(), []);
  const other = { ...RECORD, old: "a".repeat(40) };
  const [first, second] = [journal.add(RECORD), journal.add(other)];
  assertEquals(read(), [RECORD, other]);
  second.remove();
  assertEquals(read(), [RECORD]);
  for (const { file } of [first, second]) file.close();
  assertEquals(journal.read(), [RECORD]);
  journal.clear();
  assertEquals(read(), []);
});

Deno.test("Journal ignores a record that was cut short or changed, and overwrites it with the next one", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  const path = `${work.path}/.git/mcp/journal`;
  new Journal(git).add(RECORD).file.close();
  const whole = Deno.readTextFileSync(path);
  for (let length = 1; length < whole.length; length += 7) {
    Deno.writeTextFileSync(path, whole + whole.slice(0, length));
    const journal = new Journal(git);
    assertEquals(journal.read(), [RECORD], `${length}`);
    journal.add({ ...RECORD, touched: ["next"] }).file.close();
    assertEquals(new Journal(git).read().map(({ touched }) => touched), [RECORD.touched, ["next"]]);
  }
  Deno.writeTextFileSync(path, whole.replace("main", "mean"));
  assertEquals(new Journal(git).read(), []);
});

Deno.test("Journal leaves a file alone that has been given a second name", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  new Journal(git).add(RECORD).file.close();
  const copy = `${work.path}/copy`;
  Deno.linkSync(`${work.path}/.git/mcp/journal`, copy);
  const before = Deno.readTextFileSync(copy);
  const journal = new Journal(git);
  journal.read();
  journal.add({ ...RECORD, touched: ["next"] }).file.close();
  assertEquals(Deno.readTextFileSync(copy), before);
  assertEquals(new Journal(git).read().length, 2);
});

Deno.test("Journal appends after what another process has written instead, even if that has the same length", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  const [one, other] = [new Journal(git), new Journal(git)];
  one.add(RECORD).file.close();
  other.clear();
  other.add({ ...RECORD, touched: ["ö\n"] }).file.close();
  one.add({ ...RECORD, touched: ["next"] }).file.close();
  const touched = (journal: Journal) => journal.read().map((record) => record.touched);
  for (const journal of [one, other, new Journal(git)]) assertEquals(touched(journal), [["ö\n"], ["next"]]);
});

Deno.test("Journal notices what another process has written since", async () => {
  using work = await newWorkspace();
  const git = new GitFolder(work.root);
  const [one, other] = [new Journal(git), new Journal(git)];
  one.add(RECORD).file.close();
  assertEquals(other.read(), [RECORD]);
  other.clear();
  assertEquals(one.read(), []);
});

const PLACES: [path: string, isBelieved: boolean][] = [
  ["a/b.txt", true],
  ["a\\b", true],
  [".gitignore", true],
  [".git/hooks/pre-commit", false],
  ["a/.GIT/config", false],
  ["x\\git~1", false],
  ["../a", false],
  ["a//b", false],
  ["", false],
];

for (const [path, isBelieved] of PLACES) {
  Deno.test(`Journal ${isBelieved ? "accepts" : "ignores"} work on ${JSON.stringify(path)}`, async () => {
    using work = await newWorkspace();
    const git = new GitFolder(work.root);
    const all: Work[] = [
      { kind: "write", path, oid: "a".repeat(40), mode: 0o100755, permissions: 0o755 },
      { kind: "remove", path },
      { kind: "folder", path },
      { kind: "move", from: path, to: "to" },
      { kind: "move", from: "from", to: path },
    ];
    for (const one of all) {
      const journal = new Journal(git);
      journal.add({ ...RECORD, work: [one] }).file.close();
      const believed = new Journal(git).read().map(({ work }) => work);
      assertEquals(believed, isBelieved ? [[one]] : [], one.kind);
      journal.clear();
    }
  });
}

const PLANTED: [what: string, record: ChangeRecord][] = [
  ["a pack with a name that leads elsewhere", { ...RECORD, packs: [`../pack-${"b".repeat(40)}`] }],
  ["a branch that leads elsewhere", { ...RECORD, ref: "refs/heads/../../../x" }],
  ["an invalid branch", { ...RECORD, ref: "HEAD" }],
  ["a name with a NUL in it", { ...RECORD, work: [{ kind: "remove", path: "a\0b" }] }],
];

for (const [what, record] of PLANTED) {
  Deno.test(`Journal ignores ${what}`, async () => {
    using work = await newWorkspace();
    const git = new GitFolder(work.root);
    new Journal(git).add(record).file.close();
    assertEquals(new Journal(git).read(), []);
  });
}

Deno.test("commitOf matches what is later read from the commit", () => {
  const [tree, other] = ["a".repeat(40), "b".repeat(40)];
  const message = commitMessage({ tool: "write_file", summary: "Create ü", client: "a client" });
  for (const parent of [undefined, other]) {
    const author = parent === undefined ? IDENTITY : OUTSIDE;
    const made = { tree, parent, time: 1_700_000_000, message, author };
    assertEquals(commitOf(made), parseCommit(encodeCommit(made)));
  }
});

Deno.test("parseCommit returns no time for one that no date can have", () => {
  for (const time of ["99999999999999", "-99999999999999", "soon"]) {
    const commit = parseCommit(Buffer.from(`tree ${"a".repeat(40)}\nauthor A <a@b> ${time} +0000\n\nm\n`));
    assertEquals(summaryOf("c", commit).date, "1970-01-01T00:00:00.000Z");
  }
});

Deno.test("commitMessage is limited in size and has one line for each item", () => {
  const message = commitMessage({ tool: "write_file", summary: "x".repeat(5_000), client: "\u202e\n" });
  const [subject = "", , ...trailers] = message.split("\n");
  assertEquals(subject.length, "mcp/fs/write_file: ".length + 1_000);
  assertEquals(trailers, ["Paddock-Tool: fs_write_file"]);
  assertEquals(keepSummary(["a"]), "Keep changes made outside paddock to a");
  assertEquals(keepSummary(["a", "b", "c"]), "Keep changes made outside paddock to a and 2 more");
});

Deno.test(withGit("objects are read from packs with deltas of deltas, and from several packs"), async () => {
  using work = await newWorkspace();
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i} ${"x".repeat(i % 50)}\n`);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 8; i++) {
      lines[i * 40] = `changed ${round} ${i}\n`;
      work.write("big.txt", lines.join(""));
      work.git("add", "-A");
      work.git("commit", "-qm", `${round} ${i}`);
    }
    work.git("repack", "-q", "-d", "--depth=50", "--window=50");
  }
  const { entries } = await work.history.log({ path: "big.txt", limit: 100 });
  assertEquals(entries.length, 24);
  for (const i of [0, 7, 8, 20, 22]) {
    const { diff } = await work.history.diff({
      from: `HEAD~${i + 1}`,
      to: `HEAD~${i}`,
      maxBytes: 1e6,
      maxFiles: 9,
    });
    const expected = work.git(
      "diff",
      "--no-color",
      "--no-ext-diff",
      "--abbrev=10",
      `HEAD~${i + 1}`,
      `HEAD~${i}`,
    );
    assertEquals(diff, expected.replace(/^(@@ .* @@).*$/gm, "$1"));
  }
});
