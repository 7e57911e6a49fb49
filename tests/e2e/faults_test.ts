/**
 * A file system that fails: full, read-only, partly forbidden, out of descriptors; and one that is odd: strange
 * names, deep trees, large folders, wrong clocks. Mounts are in a namespace of the server's own and disappear with
 * it. docs/notes/reliability.md says what is guaranteed.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { needs, onLinux } from "../support/needs.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const withModes = needs("modes that bind this user");

const withMounts = needs("a mount namespace");

const IS_ROOT = Deno.uid() === 0;

/** A server in a mount namespace where `setup` has been run. */
function mounted(dir: string, setup: string): TestServer {
  const inner = `${setup} && exec "$@"`;
  return new TestServer([dir], { shell: `exec unshare -rm sh -c '${inner}' sh $SERVER` });
}

/** The names in a folder as seen in the server's own namespace, including temporary files. */
function namesSeenBy(server: TestServer, dir: string): string[] {
  return [...Deno.readDirSync(`/proc/${server.pid}/root${dir}`)].map((entry) => entry.name).sort();
}

const root = (path: string) => path.slice(path.lastIndexOf("/") + 1);

Deno.test({
  ...withMounts(
    "a full disk leaves the old file whole, no temporary file, and a server that keeps running",
  ),
  fn: async () => {
    using folder = tempFolder();
    await using server = mounted(folder.path, `mount -t tmpfs -o size=1m tmpfs ${folder.path}`);
    await server.initialize();
    const at = { root: root(folder.path) };
    const old = "old line\n".repeat(40_000);
    assertEquals((await server.call("write_file", { ...at, path: "a.txt", content: old })).isError, false);
    const large = "x".repeat(900_000);
    const refused: [string, Record<string, unknown>][] = [
      ["write_file", { path: "a.txt", content: large }],
      ["write_file", { path: "a.txt", content: large, mode: "append" }],
      ["write_file", { path: "b.txt", content: large }],
      ["write_file", { path: "new/deep/b.txt", content: large, mode: "create_only" }],
      ["copy", { source_root: at.root, source_path: "a.txt", dest_root: at.root, dest_path: "c.txt" }],
    ];
    for (const [tool, args] of refused.slice(0, 4)) {
      const answer = await server.call(tool, { ...at, ...args });
      assertEquals(answer.isError, true, tool);
      assertStringIncludes(answer.text, "no space left");
    }
    for (const name of ["1", "2", "3"]) {
      await server.call("write_file", { ...at, path: `many/${name}`, content: "z".repeat(150_000) });
    }
    const many = await server.call("copy", {
      source_root: at.root,
      source_path: "many",
      dest_root: at.root,
      dest_path: "few",
    });
    assertStringIncludes(
      many.text,
      '"many" was copied to "few" only in part (1 of 3 files, each of them complete; the source is unchanged): ' +
        "no space left on the device",
    );
    for (const path of ["many", "few"]) await server.call("remove_folder", { ...at, path });
    await server.call("write_file", { ...at, path: "filler", content: "y".repeat(500_000) });
    const [copy, args] = refused.at(-1) ?? ["", {}];
    assertStringIncludes((await server.call(copy, args)).text, "no space left");
    const { value } = await server.call("read_file", { ...at, path: "a.txt" });
    assertEquals(value.content, old);
    const names = namesSeenBy(server, folder.path);
    assertEquals(names.filter((name) => name !== "new"), ["a.txt", "filler"]);
    assertEquals((await server.call("remove_file", { ...at, path: "filler" })).isError, false);
    const again = await server.call("write_file", { ...at, path: "a.txt", content: "new\n" });
    assertEquals(again.isError, false);
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...withMounts(
    "a read-only file system is read, and every change is refused with a clear error",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "kept\n");
    const bind = `mount --bind ${folder.path} ${folder.path} && mount -o remount,bind,ro ${folder.path}`;
    await using server = mounted(folder.path, bind);
    await server.initialize();
    const at = { root: root(folder.path) };
    assertEquals((await server.call("read_file", { ...at, path: "a.txt" })).value.content, "kept\n");
    const calls: [string, Record<string, unknown>][] = [
      ["write_file", { path: "a.txt", content: "x" }],
      ["write_file", { path: "b.txt", content: "x" }],
      ["create_folder", { path: "d" }],
      ["remove_file", { path: "a.txt" }],
    ];
    for (const [tool, args] of calls) {
      const answer = await server.call(tool, { ...at, ...args });
      assertEquals(answer.isError, true, tool);
      assertMatch(answer.text, /read-only/, tool);
    }
    assertEquals(folder.names(), ["a.txt"]);
    assertEquals(folder.read("a.txt"), "kept\n");
  },
});

Deno.test({
  ...withMounts(
    "a file system mounted inside a folder is neither emptied nor moved with it",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("t/a.txt", "x");
    Deno.mkdirSync(`${folder.path}/t/m`);
    const mount = `${folder.path}/t/m`;
    await using server = mounted(
      folder.path,
      `mount -t tmpfs tmpfs ${mount} && echo x > ${mount}/theirs.txt`,
    );
    await server.initialize();
    const at = { root: root(folder.path) };
    const removed = await server.call("remove_folder", { ...at, path: "t" });
    assertStringIncludes(
      removed.text,
      '"t/m" is a mount point of another file system, and cannot be removed; nothing was removed',
    );
    const moved = await server.call("move", {
      source_root: at.root,
      source_path: "t/m",
      dest_root: at.root,
      dest_path: "m",
    });
    assertStringIncludes(
      moved.text,
      'in use (open in another program, which has to close it first, or a mount point): "m", or "t/m"',
    );
    assertEquals(namesSeenBy(server, `${folder.path}/t`), ["a.txt", "m"]);
    assertEquals(namesSeenBy(server, mount), ["theirs.txt"]);
    assertEquals(await server.end(), 0);
  },
});

/** Lets the server do with a folder only what `mode` says, in its three lowest bits, whoever runs the tests. */
function allowOnly(folder: string, mode: number): void {
  Deno.chmodSync(folder, mode * 0o101);
  // A number that the server's user namespace does not know: even its root has no right to it.
  if (IS_ROOT) Deno.chownSync(folder, 54_321, 54_321);
}

/** A server that is subject to modes. */
function unprivileged(dir: string): TestServer {
  return new TestServer([dir], IS_ROOT ? { shell: "exec unshare -r $SERVER" } : {});
}

Deno.test({
  ...withModes(
    "an unreadable folder in the middle of a tree stops a removal and a copy before they begin, and hides nothing else",
  ),
  fn: async () => {
    using folder = tempFolder();
    for (const name of ["t/a/1.txt", "t/b/2.txt", "t/c/3.txt"]) folder.write(name, "needle\n");
    const before = folder.names();
    allowOnly(`${folder.path}/t/b`, 0);
    await using server = unprivileged(folder.path);
    await server.initialize();
    const at = { root: root(folder.path) };
    const found = await server.call("grep", { ...at, path: "", pattern: "needle" });
    assertEquals(found.isError, false);
    assertEquals(found.value.matches.map((match: { file: string }) => match.file), [
      "t/a/1.txt",
      "t/c/3.txt",
    ]);
    const two = { source_root: at.root, source_path: "t", dest_root: at.root, dest_path: "u" };
    const denied = 'permission denied by the operating system: "t/b"';
    assertStringIncludes((await server.call("copy", two)).text, `${denied}; nothing was copied`);
    const removed = await server.call("remove_folder", { ...at, path: "t" });
    assertStringIncludes(removed.text, `${denied}; nothing was removed`);
    assertEquals(await server.end(), 0);
    Deno.chmodSync(`${folder.path}/t/b`, 0o700);
    assertEquals(folder.names(), before);
  },
});

Deno.test({
  ...withModes(
    "a folder whose names may not be changed stops a removal, a copy and a move before they begin, and is named",
  ),
  fn: async () => {
    using folder = tempFolder();
    for (const name of ["t/a/1.txt", "t/b/2.txt", "t/b/sub/3.txt", "u/4.txt"]) folder.write(name, "x\n");
    const before = folder.names();
    allowOnly(`${folder.path}/t/b`, 5);
    await using server = unprivileged(folder.path);
    await server.initialize();
    const at = { root: root(folder.path) };
    const call = async (tool: string, from: string, to: string) => {
      const { text, isError } = await server.call(tool, {
        source_root: at.root,
        source_path: from,
        dest_root: at.root,
        dest_path: to,
      });
      assertEquals(isError, true);
      return text;
    };
    const denied = (path: string) => `permission denied by the operating system: "${path}"`;
    const removed = await server.call("remove_folder", { ...at, path: "t" });
    assertStringIncludes(removed.text, `${denied("t/b")}; nothing was removed`);
    assertStringIncludes(await call("copy", "u", "t/b"), `${denied("t/b/u")}; nothing was copied`);
    assertStringIncludes(await call("move", "t/b/2.txt", "u"), denied("t/b/2.txt"));
    assertStringIncludes(await call("move", "u/4.txt", "t/b/new.txt"), denied("t/b/new.txt"));
    assertStringIncludes(await call("copy", "u/4.txt", "t/b/new.txt"), denied("t/b/new.txt"));
    assertEquals(await server.end(), 0);
    Deno.chmodSync(`${folder.path}/t/b`, 0o700);
    assertEquals(folder.names(), before);
  },
});

Deno.test({
  ...withModes(
    "a folder whose names may be listed but not looked up is refused like an unreadable one",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("t/a.txt", "x");
    allowOnly(`${folder.path}/t`, 4);
    await using server = unprivileged(folder.path);
    await server.initialize();
    const at = { root: root(folder.path) };
    for (const tool of ["list_folder", "remove_folder"]) {
      const { text } = await server.call(tool, { ...at, path: "t" });
      assertStringIncludes(text, 'permission denied by the operating system: "t"', tool);
    }
    assertEquals(await server.end(), 0);
    Deno.chmodSync(`${folder.path}/t`, 0o700);
  },
});

Deno.test({
  ...onLinux("a server out of file descriptors answers every call, and continues when some are free again"),
  fn: async () => {
    using folder = tempFolder();
    for (let i = 0; i < 100; i++) folder.write(`${i}.txt`, `${i}\n`);
    await using server = new TestServer([folder.path], { shell: "ulimit -n 48; exec $SERVER" });
    await server.initialize();
    const at = { root: root(folder.path) };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => server.call("read_file", { ...at, path: `${i}.txt` })),
    );
    for (const [i, { isError, text }] of answers.entries()) {
      if (isError) assertMatch(text, /too many open files/);
      else assertEquals(text, `${i}\n`);
    }
    assertEquals((await server.call("read_file", { ...at, path: "7.txt" })).text, "7\n");
    assertEquals(await server.end(), 0);
  },
});

/** 255 bytes each: the most that file systems allow. */
const NAMES = [
  "line\nbreak",
  "tab\tand\x07bell",
  "emoji 🐎🏇",
  "e\u0301 is not é",
  "\u202eright to left",
  "-rf",
  " spaces ",
  "a".repeat(255),
  "ü".repeat(127) + "x",
  "*?[a]{b}",
  "$&`'\"\\",
];

Deno.test("names with odd characters work in every tool, and are returned unchanged", async () => {
  using folder = tempFolder();
  await using server = new TestServer([folder.path]);
  await server.initialize();
  const at = { root: root(folder.path) };
  for (const name of NAMES) {
    const path = `in/${name}`;
    assertEquals(
      (await server.call("write_file", { ...at, path, content: "needle\n" })).isError,
      false,
      name,
    );
    assertEquals((await server.call("read_file", { ...at, path })).text, "needle\n");
  }
  const listed = await server.call("list_folder", { ...at, path: "in" });
  const seen = listed.value.entries.map((entry: { name: string }) => entry.name).sort();
  assertEquals(seen, NAMES.toSorted());
  const found = await server.call("grep", { ...at, path: "in", pattern: "needle", max_results: 100 });
  const paths = found.value.matches.map((match: { file: string }) => match.file);
  assertEquals(new Set(paths), new Set(NAMES.map((name) => `in/${name}`)));
  const long = await server.call("write_file", { ...at, path: "b".repeat(256), content: "x" });
  assertEquals(long.isError, true);
  assertMatch(long.text, /too long/);
  for (const name of NAMES) {
    const moved = await server.call("move", {
      source_root: at.root,
      source_path: `in/${name}`,
      dest_root: at.root,
      dest_path: `out/${name}`,
    });
    assertEquals(moved.isError, false, name);
  }
  assertEquals(
    [...Deno.readDirSync(`${folder.path}/out`)].map((entry) => entry.name).sort(),
    NAMES.toSorted(),
  );
});

Deno.test({
  ...onLinux(
    "a tree down to the longest path is walked, copied and removed, and one level further is refused",
  ),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer([folder.path]);
    await server.initialize();
    const at = { root: root(folder.path) };
    const step = "d".repeat(200);
    const room = "/x.txt".length + 34; // for the temporary file beside it
    const depth = Math.floor((4_095 - folder.path.length - room) / (step.length + 1));
    const deep = Array.from({ length: depth }, () => step).join("/");
    const made = await server.call("write_file", { ...at, path: `${deep}/x.txt`, content: "needle\n" });
    assertEquals(made.text.includes("too long"), false);
    assertEquals(made.isError, false);
    assertEquals((await server.call("read_file", { ...at, path: `${deep}/x.txt` })).text, "needle\n");
    const found = await server.call("grep", { ...at, path: "", pattern: "needle" });
    assertEquals(found.value.matches.length, 1);
    const name = "y".repeat(4_095 - folder.path.length - deep.length - 1);
    const beyond = await server.call("write_file", { ...at, path: `${deep}/${name}`, content: "" });
    assertEquals(beyond.isError, true);
    assertMatch(beyond.text, /too long/);
    const removed = await server.call("remove_folder", { ...at, path: step });
    assertEquals(removed.isError, false, removed.text);
    assertEquals(folder.names(), []);
  },
});

Deno.test({
  ...needs("Linux", "basic tools")(
    "names that are not valid UTF-8 are counted in a listing, and removed with their folder",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("t/sub/a.txt", "x");
    folder.write("keep.txt", "x");
    const script = `echo x > "$(printf '\\377')" && ln -s "$PWD/../../keep.txt" "$(printf 'l\\376')"`;
    const { success } = new Deno.Command("sh", { args: ["-c", script], cwd: `${folder.path}/t/sub` })
      .outputSync();
    assert(success);
    await using server = new TestServer([folder.path]);
    await server.initialize();
    const at = { root: root(folder.path) };
    const { value } = await server.call("list_folder", { ...at, path: "t/sub" });
    assertEquals([value.count, value.unnamed], [1, 2]);
    const removed = await server.call("remove_folder", { ...at, path: "t" });
    assertEquals([removed.isError, removed.value.entries_removed], [false, 5]);
    assertEquals(folder.names(), ["keep.txt"]);
    assertEquals(await server.end(), 0);
  },
});

Deno.test("files from before 1970 and after 2100 are listed, read and changed like others", async () => {
  using folder = tempFolder();
  for (const [name, year] of [["old", 1960], ["new", 2150]] as const) {
    const file = folder.write(`${name}.txt`, "one\n");
    const time = new Date(Date.UTC(year, 0, 1));
    Deno.utimeSync(file, time, time);
  }
  await using server = new TestServer([folder.path]);
  await server.initialize();
  const at = { root: root(folder.path) };
  for (const name of ["old", "new"]) {
    const path = `${name}.txt`;
    const { value } = await server.call("stat_file", { ...at, path });
    assertEquals(JSON.stringify(value).includes(name === "old" ? "1960-01-01" : "2150-01-01"), true);
    assertEquals((await server.call("read_file", { ...at, path })).text, "one\n");
    const args = { ...at, path, content: "two\n", mode: "append" };
    assertEquals((await server.call("write_file", args)).isError, false);
    assertEquals(folder.read(path), "one\ntwo\n");
  }
});

Deno.test("a folder of 10,000 entries is listed, searched, moved and removed completely", async () => {
  using folder = tempFolder();
  const count = 10_000;
  Deno.mkdirSync(`${folder.path}/many`);
  for (let i = 0; i < count; i++) {
    Deno.writeTextFileSync(`${folder.path}/many/${i}`, i % 1_000 === 0 ? "needle\n" : "hay\n");
  }
  await using server = new TestServer([folder.path, "--timeout=60"]);
  await server.initialize();
  const at = { root: root(folder.path) };
  assertEquals((await server.call("list_folder", { ...at, path: "many" })).value.count, count);
  const found = await server.call("grep", { ...at, path: "", pattern: "needle" });
  assertEquals([found.value.total_matches, found.value.files_searched], [10, count]);
  const moved = await server.call("move", {
    source_root: at.root,
    source_path: "many",
    dest_root: at.root,
    dest_path: "moved",
  });
  assertEquals(moved.isError, false);
  const removed = await server.call("remove_folder", { ...at, path: "moved" });
  assertEquals([removed.value.entries_removed, folder.names()], [count + 1, []]);
});
