import { assertEquals } from "@std/assert";
import { createRoots } from "../../../../src/confine/roots.ts";
import { resolvePath } from "../../../../src/confine/resolve_path.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { byCodePoint } from "../../../../src/text/code_point_order.ts";
import { abortedAfter, engineFolder, nativePath, refusal } from "../../../support/engine.ts";
import { needs, onLinux } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { swap, walked } from "../support.ts";

Deno.test("walk returns all entries in the order of their full paths", async () => {
  using folder = engineFolder();
  for (
    const name of ["a/x", "a.txt", "a-b/y", "a", "b", "Z", "é/1", "\u{ff5e}", "\u{1f600}", "a/b/c/d", "a0"]
  ) {
    if (name !== "a") folder.write(name, "");
  }
  const found = await walked(folder.at(""));
  assertEquals(found, [
    "Z",
    "a/",
    "a-b/",
    "a-b/y",
    "a.txt",
    "a/b/",
    "a/b/c/",
    "a/b/c/d",
    "a/x",
    "a0",
    "b",
    "é/",
    "é/1",
    "\u{ff5e}",
    "\u{1f600}",
  ]);
  const paths = found.map((path) => path.replace(/\/$/, ""));
  assertEquals(paths, paths.toSorted(byCodePoint));
});

Deno.test("walk returns paths relative to the walked folder", async () => {
  using folder = engineFolder();
  folder.write("a/b/c", "");
  folder.write("other", "");
  assertEquals(await walked(folder.at("a")), ["b/", "b/c"]);
});

Deno.test("walk counts depth from 1", async () => {
  using folder = engineFolder();
  folder.write("a/b/c/d", "");
  folder.write("x", "");
  const at = async (maxDepth: number) => await walked(folder.at(""), { maxDepth });
  assertEquals(await at(0), []);
  assertEquals(await at(1), ["a/", "x"]);
  assertEquals(await at(2), ["a/", "a/b/", "x"]);
  assertEquals(await at(4), ["a/", "a/b/", "a/b/c/", "a/b/c/d", "x"]);
});

Deno.test("walk names links and never follows them: up, around, outside or nowhere", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "");
  folder.write("a/file", "");
  const links = { up: "..", self: ".", here: "../a", away: outside.path, lost: "nowhere", file: "file" };
  for (const [name, target] of Object.entries(links)) {
    Deno.symlinkSync(target, `${folder.path}/a/link-${name}`);
  }
  const found = ["a/", "a/file", ...Object.keys(links).sort().map((name) => `a/link-${name}@`)];
  assertEquals(await walked(folder.at("")), found);
});

Deno.test("walk returns nothing from a folder that was swapped for a link, and counts it", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "");
  folder.write("a/deep/file", "");
  folder.write("b", "");
  let skipped = 0;
  const found = await walked(folder.at(""), {
    onSkip: (count) => skipped += count,
    mayEnter(path) {
      if (path.relative === "a/deep") swap(path.absolute, outside.path);
      return true;
    },
  });
  assertEquals([found, skipped], [["a/", "a/deep/", "b"], 1]);
});

Deno.test(onLinux("walk leaves out names that are not valid UTF-8, and counts them"), async () => {
  using folder = engineFolder();
  folder.write("sub/good", "");
  const script = `printf x > "$(printf '%s/sub/bad\\377' "$1")"`;
  new Deno.Command("sh", { args: ["-c", script, "sh", folder.path] }).outputSync();
  let skipped = 0;
  assertEquals(await walked(folder.at(""), { onSkip: (count) => skipped += count }), ["sub/", "sub/good"]);
  assertEquals(skipped, 1);
});

Deno.test("walk leaves out our own temporary files, and a hidden .git", async () => {
  for (const git of ["open", "read-only", "hidden"] as const) {
    using folder = engineFolder(git);
    folder.write(".git/config", "");
    folder.write("sub/.GIT/config", "");
    folder.write("sub/.paddock-00ff.tmp", "");
    const found = await walked(folder.at(""));
    const all = [".git/", ".git/config", "sub/", "sub/.GIT/", "sub/.GIT/config"];
    assertEquals(found, git === "hidden" ? ["sub/"] : all);
  }
});

Deno.test({
  ...needs("Unix", "a user other than root")("walk skips an unreadable folder, and counts it"),
  async fn() {
    using folder = engineFolder();
    folder.write("a/file", "");
    folder.write("b", "");
    Deno.chmodSync(`${folder.path}/a`, 0o000);
    let skipped = 0;
    try {
      assertEquals(await walked(folder.at(""), { onSkip: (count) => skipped += count }), ["a/", "b"]);
      assertEquals(skipped, 1);
    } finally {
      Deno.chmodSync(`${folder.path}/a`, 0o700);
    }
  },
});

Deno.test("walk skips a folder that the system refuses to list, and counts it", async () => {
  using folder = engineFolder();
  folder.write("a/file", "");
  folder.write("b", "");
  const list = Deno.readDirSync;
  Deno.readDirSync = (path) => {
    if (/[\\/]a$/.test(String(path))) throw new Deno.errors.PermissionDenied("no");
    return list(path);
  };
  let skipped = 0;
  try {
    assertEquals(await walked(folder.at(""), { onSkip: (count) => skipped += count }), ["a/", "b"]);
  } finally {
    Deno.readDirSync = list;
  }
  assertEquals(skipped, 1);
});

Deno.test("walk enters folders only if the caller may, and if it is useful", async () => {
  using folder = tempFolder();
  folder.write("inner/file", "");
  folder.write("useless/file", "");
  folder.write("z/file", "");
  const roots = createRoots([
    { name: "outer", path: folder.path, git: "open" },
    { name: "inner", path: nativePath(`${folder.path}/inner`), git: "open" },
  ]);
  const outer = roots.get("outer");
  if (outer === undefined) throw new Error("no root");
  const found = await walked(resolvePath(outer, ""), {
    mayEnter: (path) => path.owner === path.root,
    mayMatchBelow: (below) => Promise.resolve(below !== "useless"),
  });
  assertEquals(found, ["inner/", "useless/", "z/", "z/file"]);
});

Deno.test("walk refuses a path that is not a folder, or does not exist", async () => {
  using folder = engineFolder();
  folder.write("file", "");
  assertEquals(await refusal(walked(folder.at("file"))), 'INVALID_INPUT: path is not a directory: "file"');
  assertEquals(await refusal(walked(folder.at("no"))), "NOT_FOUND: directory not found: no");
});

Deno.test("walk ends when the time is up, and throws when it is cancelled", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 20; i++) folder.write(`${i}`, "");
  const late = new SearchTime({ timeoutMs: 0 });
  assertEquals([await walked(folder.at(""), { time: late }), late.isUp], [[], true]);
  const time = new SearchTime({ signal: abortedAfter(10) });
  assertEquals(await refusal(walked(folder.at(""), { time })), "TIMEOUT: the call was cancelled");
});
