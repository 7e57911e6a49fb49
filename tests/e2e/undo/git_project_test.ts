import { assert, assertEquals } from "@std/assert";
import { withGit } from "../../support/needs.ts";
import { seeded } from "../../support/random.ts";
import { TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

function git(folder: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", {
    args: ["-C", folder, "-c", "protocol.file.allow=always", ...args],
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", ...AUTHOR },
  }).outputSync();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

const AUTHOR = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** Staged, unstaged and untracked work, a stash, a submodule, a nested clone and a worktree. */
function makeProject(base: TempFolder): string {
  const project = `${base.path}/project`;
  base.write("library/lib.txt", "library\n");
  git(`${base.path}/library`, "init", "-q", "-b", "main");
  git(`${base.path}/library`, "add", ".");
  git(`${base.path}/library`, "commit", "-qm", "library");
  for (let i = 0; i < 12; i++) base.write(`project/src/file${i}.txt`, `line 1\nline 2 of ${i}\nline 3\n`);
  base.write("project/.gitignore", "ignored/\n");
  base.write("project/ignored/x.txt", "ignored\n");
  git(project, "init", "-q", "-b", "main");
  git(project, "submodule", "--quiet", "add", `${base.path}/library`, "sub");
  git(project, "add", ".");
  git(project, "commit", "-qm", "first");
  git(project, "clone", "-q", `${base.path}/library`, "nested");
  git(project, "worktree", "add", "-q", `${base.path}/worktree`, "-b", "other");
  base.write("project/src/file0.txt", "stashed\n");
  git(project, "stash", "-q");
  base.write("project/src/file1.txt", "staged\n");
  git(project, "add", "src/file1.txt");
  base.write("project/src/file1.txt", "staged, and changed since\n");
  base.write("project/src/file2.txt", "unstaged\n");
  base.write("project/untracked.txt", "untracked\n");
  return project;
}

/** Everything that git reports and stores, except time stamps in the index, which only git writes. */
function stateOf(project: string): Record<string, unknown> {
  const index = (path: string) => [...Deno.readFileSync(path)].join();
  return {
    index: index(`${project}/.git/index`),
    status: git(project, "--no-optional-locks", "status", "--porcelain=v2", "--ignored"),
    head: Deno.readTextFileSync(`${project}/.git/HEAD`),
    refs: git(project, "for-each-ref"),
    stash: git(project, "stash", "list"),
    sub: git(`${project}/sub`, "--no-optional-locks", "status", "--porcelain=v2"),
    nested: git(`${project}/nested`, "--no-optional-locks", "status", "--porcelain=v2"),
    worktrees: git(project, "worktree", "list", "--porcelain"),
    config: Deno.readTextFileSync(`${project}/.git/config`),
  };
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  const add = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${path}`)) {
      names.push(path + name);
      if (isDirectory) add(`${path}${name}/`);
    }
  };
  add("");
  return names.sort();
}

Deno.test({
  ...withGit(
    "a git project is unchanged after 200 calls and their undos, its index byte for byte, with nothing of ours in it",
  ),
  fn: async () => {
    using base = tempFolder();
    const project = makeProject(base);
    const before = stateOf(project);
    const names = namesIn(project);
    await using server = new TestServer([project, `--undo-dir=${base.path}/undo`]);
    await server.initialize();
    const random = seeded(7);
    const file = () => `src/file${random.below(12)}.txt`;
    const two = (from: string, to: string) => ({
      source_root: "project",
      source_path: from,
      dest_root: "project",
      dest_path: to,
    });
    const calls: (() => [string, Record<string, unknown>])[] = [
      () => ["write_file", { root: "project", path: file(), content: `${random.below(100)}\nline 3\n` }],
      () => ["write_file", { root: "project", path: file(), content: "more\n", mode: "append" }],
      () => ["write_file", { root: "project", path: `new/${random.below(9)}.txt`, content: "new\n" }],
      () => ["write_file", { root: "project", path: "nested/lib.txt", content: "changed\n" }],
      () => ["write_file", { root: "project", path: "sub/lib.txt", content: "changed\n" }],
      () => ["write_file", { root: "project", path: ".git/config", content: "evil" }],
      () => ["copy", two(file(), `copies/${random.below(9)}.txt`)],
      () => ["copy", two("src", "src-copy")],
      () => ["move", two(file(), file())],
      () => ["remove_file", { root: "project", path: file() }],
      () => ["remove_folder", { root: "project", path: "new" }],
      () => ["remove_folder", { root: "project", path: "ignored" }],
    ];
    const changes: string[] = [];
    for (let i = 0; i < 200; i++) {
      const [tool, args] = random.pick(calls)();
      const { value } = await server.call(tool, args);
      if (value?.change !== undefined) changes.unshift(value.change);
    }
    assert(changes.length > 80, `${changes.length} changes`);
    for (const id of changes) {
      const { isError, text } = await server.call("undo", { root: "project", id });
      assertEquals([isError, isError ? text : ""], [false, ""]);
    }
    assertEquals(stateOf(project), before);
    assertEquals(namesIn(project), names);
  },
});
