import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { createFile, linkNew, makeFolder, rename } from "../../src/confine/confined_fs.ts";
import { gitFolderAround, gitPiece, isGitFolder } from "../../src/confine/git_folders.ts";
import { engineFolder } from "../support/engine.ts";
import { needs, onUnix, withGit } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const ENV = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const HEAD = "ref: refs/heads/main\n";
const EXECUTABLE = 0o755;

function git(folder: string, ...args: string[]): boolean {
  return new Deno.Command("git", { args: ["-C", folder, ...args], env: ENV, stdout: "null", stderr: "null" })
    .outputSync().success;
}

/** What a folder contains: text for a file, "/" for a folder, "-> x" for a link, "#!" for an executable file. */
type Layout = Record<string, string>;

const TAKEN: [what: string, layout: Layout][] = [
  ["a bare layout", { HEAD, objects: "/", refs: "/" }],
  ["a HEAD without a blank", { HEAD: "ref:refs/heads/x", objects: "/", refs: "/" }],
  ["a detached HEAD", { HEAD: "0123456789012345678901234567890123456789\n", objects: "/", refs: "/" }],
  ["a HEAD that is a link to nothing", { HEAD: "-> refs/heads/none", objects: "/", refs: "/" }],
  ["objects and refs that are links", { HEAD, objects: "-> /", refs: "-> ." }],
  ["objects that are an executable file", { HEAD, objects: "#!", refs: "#!" }],
  ["a commondir, with the rest elsewhere", {
    HEAD,
    commondir: "common\n",
    common: "/",
    "common/objects": "/",
    "common/refs": "/",
  }],
];

const NOT_TAKEN: [what: string, layout: Layout][] = [
  ["no HEAD", { objects: "/", refs: "/" }],
  ["no objects", { HEAD, refs: "/" }],
  ["no refs", { HEAD, objects: "/" }],
  ["a folder for HEAD", { HEAD: "/", objects: "/", refs: "/" }],
  ["another letter case", { head: HEAD, objects: "/", refs: "/" }],
];

function build(folder: string, layout: Layout): void {
  for (const [name, what] of Object.entries(layout)) {
    const path = `${folder}/${name}`;
    if (what === "/") Deno.mkdirSync(path);
    else if (what.startsWith("-> ")) Deno.symlinkSync(what.slice(3), path);
    else Deno.writeTextFileSync(path, what);
    if (what === "#!") Deno.chmodSync(path, EXECUTABLE);
  }
}

for (const [isTaken, layouts] of [[true, TAKEN], [false, NOT_TAKEN]] as const) {
  for (const [what, layout] of layouts) {
    Deno.test({
      // According to git itself, on a case-sensitive file system.
      ...needs("Linux", "git")(`isGitFolder agrees with git about a folder with ${what}: ${isTaken}`),
      fn: () => {
        using folder = tempFolder();
        build(folder.path, layout);
        assertEquals([git(folder.path, "rev-parse", "--git-dir"), isGitFolder(folder.path)], [
          isTaken,
          isTaken,
        ]);
      },
    });
  }
}

Deno.test("gitPiece recognises what git looks for, under any name that a file system treats as the same", () => {
  const names = ["HEAD", "head", "HE\u00adAD", "Objects", "refs.", "re\u200bfs", "COMMONDIR", "commondir "];
  const pieces = ["HEAD", "HEAD", "HEAD", "objects", "refs", "refs", "commondir", "commondir"];
  assertEquals<unknown[]>(names.map(gitPiece), pieces);
  assertEquals(["HEAD1", "object", "ref", "", ".", "config", "hooks"].map(gitPiece).filter(Boolean), []);
});

/** Where a repository has its own folder, and how it gets there. */
const PLACES: [what: string, folder: string, make: (root: string) => void][] = [
  ["a bare repository", "store.git", (root) => git(root, "init", "-q", "--bare", "store.git")],
  ["--separate-git-dir", "deep/own", (root) => {
    Deno.mkdirSync(`${root}/deep`);
    git(root, "init", "-q", `--separate-git-dir=${root}/deep/own`, "work");
  }],
  ["gitdir: ./.bare", ".bare", (root) => {
    git(root, "init", "-q", "--bare", ".bare");
    Deno.writeTextFileSync(`${root}/.git`, "gitdir: ./.bare\n");
  }],
  ["gitdir: with an incomplete target", "own", (root) => {
    Deno.mkdirSync(`${root}/own`);
    Deno.writeTextFileSync(`${root}/.git`, `gitdir: ${root}/own\r\n`);
  }],
];

for (const [what, own, make] of PLACES) {
  Deno.test({
    ...withGit(
      `resolvePath allows reading but not changing the folder of a repository, with ${what}`,
    ),
    fn: () => {
      for (const protection of ["read-only", "hidden"] as const) {
        using folder = engineFolder(protection);
        make(folder.path);
        folder.write("deep/er/a.txt", "x");
        const inside = [own, `${own}/config`, `${own}/hooks/post-checkout`, `${own}/a/b/c`];
        for (const path of inside) {
          assertEquals(folder.at(path).relative, path);
          for (const follow of [true, false]) {
            const error = assertThrows(() => folder.at(path, { change: true, follow }), PaddockError);
            assertEquals(error.code, "NOT_ALLOWED");
            assertMatch(error.message, /the folder of a git repository: it can be read but not changed/);
            assertEquals(error.message.includes("protect_git"), protection === "read-only");
          }
        }
        for (const path of ["deep/er/a.txt", "deep/new", "HEAD", "work.txt"]) {
          folder.at(path, { change: true });
        }
      }
      using open = engineFolder("open");
      make(open.path);
      open.at(`${own}/config`, { change: true });
    },
  });
}

Deno.test({
  ...withGit(
    "resolvePath protects a root that is itself the folder of a repository, and worktrees' folders",
  ),
  fn: () => {
    using folder = engineFolder("read-only");
    folder.write("linked/HEAD", HEAD);
    folder.write("linked/commondir", "/elsewhere\n");
    assertThrows(() => folder.at("linked/config.worktree", { change: true }), PaddockError);
    git(folder.path, "init", "-q", "--bare", ".");
    assertEquals(gitFolderAround(folder.at("hooks/x")), ".");
    assertThrows(() => folder.at("config", { change: true }), PaddockError, 'inside "."');
  },
});

Deno.test({
  ...onUnix(
    "resolvePath treats a link to the folder of a repository as the link itself when follow is false",
  ),
  fn: () => {
    using folder = engineFolder("read-only");
    build(folder.path, { own: "/", link: "-> own", "own/HEAD": HEAD, "own/objects": "/", "own/refs": "/" });
    assertEquals(folder.at("link", { change: true, follow: false }).relative, "link");
    assertThrows(() => folder.at("link", { change: true }), PaddockError);
    assertThrows(() => folder.at("link/config", { change: true, follow: false }), PaddockError);
  },
});

/** All ways to put the last piece in place. */
const LAST: [piece: string, layout: Layout][] = [
  ["HEAD", { objects: "/", refs: "/" }],
  ["objects", { HEAD, refs: "/" }],
  ["refs", { HEAD, objects: "/" }],
  ["HEAD", { commondir: ".." }],
  ["commondir", { HEAD }],
  ["He\u00adad", { objects: "/", refs: "/" }],
];

for (const [piece, layout] of LAST) {
  Deno.test(`no step gives a folder ${JSON.stringify(piece)} as the last piece of a repository`, () => {
    using folder = engineFolder("read-only");
    Deno.mkdirSync(`${folder.path}/p`);
    build(`${folder.path}/p`, layout);
    folder.write("other", HEAD);
    const at = folder.at(`p/${piece}`);
    const steps: (() => unknown)[] = [
      () => createFile(at).close(),
      () => linkNew(folder.at("other"), at),
      () => rename(folder.at("other"), at),
    ];
    if (piece === "objects" || piece === "refs") steps.push(() => makeFolder(at));
    const before = folder.names();
    for (const step of steps) {
      const error = assertThrows(step, PaddockError, "would turn its folder into a git repository");
      assertEquals(error.code, "NOT_ALLOWED");
    }
    assertEquals(folder.names(), before);
    using open = engineFolder("open");
    Deno.mkdirSync(`${open.path}/p`);
    build(`${open.path}/p`, layout);
    createFile(open.at(`p/${piece}`)).close();
    assert(open.names().length > 0);
  });
}

Deno.test("a folder may be called head, and hold objects or refs", () => {
  using folder = engineFolder("read-only");
  build(folder.path, { objects: "/", refs: "/" });
  makeFolder(folder.at("head"));
  createFile(folder.at("head/x.ts")).close();
  createFile(folder.at("objects/x.ts")).close();
  createFile(folder.at("refs/HEAD")).close();
});
