/** Attacks on the history of a workspace: every tool × every way into a `.git`. Nothing runs, nothing is read. */
import { assert, assertEquals } from "@std/assert";
import { withGit } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { assertSound, failureOf, git, newWorkspace, valueOf } from "./support.ts";

const SECRET = "TOPSECRET";

/** Ways to spell a path into a `.git`, on some file system or other, or through a link. */
const PATHS = [
  ".git",
  ".git/config",
  ".git/hooks/post-commit",
  "./.git//config",
  "a/../.git/config",
  ".GIT/config",
  ".Git",
  "git~1/config",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  ".g\u200cit/config",
  "to_git",
  "to_git/config",
  "to_config",
  "module/.git/config",
  "module/.git",
];

/** The arguments of every tool that takes a path. */
const CALLS: Record<string, (path: string) => Record<string, unknown>[]> = {
  fs_read_text_file: (path) => [{ path }, { path, head: 1 }, { path, tail: 1 }],
  fs_read_media_file: (path) => [{ path }],
  fs_write_file: (path) => [{ path, content: SECRET }, { path: `${path}/new`, content: SECRET }],
  fs_edit_file: (path) => [
    { path, edits: [{ oldText: SECRET, newText: "x" }] },
    { path, edits: [{ oldText: SECRET, newText: "x" }], dryRun: true },
  ],
  fs_create_directory: (path) => [{ path }, { path: `${path}/new` }],
  fs_list_directory: (path) => [{ path }],
  fs_list_directory_with_sizes: (path) => [{ path }],
  fs_move_file: (path) => [
    { source: path, destination: "stolen" },
    { source: "ok.txt", destination: path },
    { source: "ok.txt", destination: `${path}/hook` },
  ],
  fs_copy_file: (path) => [
    { source: path, destination: "stolen" },
    { source: "ok.txt", destination: path },
    { source: "ok.txt", destination: `${path}/hook` },
  ],
  fs_delete_file: (path) => [{ path }, { path, recursive: true }],
  fs_patch_file: (path) => [
    { path, patch: `@@ -1 +1 @@\n-${SECRET}\n+x\n` },
    { path: `${path}/new`, patch: "@@ -0,0 +1 @@\n+x\n" },
  ],
  fs_apply: (path) =>
    [
      { op: "write", path, content: SECRET },
      { op: "write", path: `${path}/new`, content: SECRET },
      { op: "edit", path, edits: [{ oldText: SECRET, newText: "x" }] },
      { op: "delete", path },
      { op: "move", source: path, destination: "stolen" },
      { op: "move", source: "ok.txt", destination: path },
      { op: "move", source: "ok.txt", destination: `${path}/hook` },
      { op: "mkdir", path },
      { op: "mkdir", path: `${path}/new` },
    ].flatMap((
      change,
    ) => [{ changes: [change] }, { changes: [{ op: "mkdir", path: "m" }, change], dryRun: true }]),
  fs_grep: (path) => [{ path, pattern: "." }],
  fs_hash_file: (path) => [{ path }],
  fs_search_files: (path) => [{ path, pattern: "*" }],
  fs_directory_tree: (path) => [{ path }],
  fs_get_file_info: (path) => [{ path }],
  fs_get_commit_history: (path) => [{ path }],
  fs_diff: (path) => [{ path }],
  fs_restore: (path) => [{ path, commit: "HEAD" }, { path, commit: "HEAD", dryRun: true }],
};

/** Links that are named themselves are moved, or shown in the history, as links. */
const LINKS_THEMSELVES = new Set(
  [
    "fs_move_file",
    "fs_get_commit_history",
    "fs_diff",
    "fs_restore",
    "fs_copy_file",
    "fs_delete_file",
    "fs_apply",
  ],
);

const SPY = `#!/bin/sh\ntouch "$(dirname "$0")/../../RAN"\n`;

function plant(folder: string): void {
  const write = (name: string, text: string, mode = 0o644) => {
    Deno.mkdirSync(`${folder}/${name}`.slice(0, `${folder}/${name}`.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(`${folder}/${name}`, text);
    Deno.chmodSync(`${folder}/${name}`, mode);
  };
  for (const hook of ["pre-commit", "post-commit", "commit-msg", "post-checkout", "reference-transaction"]) {
    write(`.git/hooks/${hook}`, SPY, 0o755);
  }
  write(".git/hooks/monitor", SPY, 0o755);
  const config = Deno.readTextFileSync(`${folder}/.git/config`);
  write(
    ".git/config",
    `${config}# ${SECRET}\n[core]\n\tfsmonitor = .git/hooks/monitor\n[user]\n\tname = ${SECRET}\n`,
  );
  write("module/.git/config", SECRET);
  write("module/.git/HEAD", SECRET);
  Deno.symlinkSync(".git", `${folder}/to_git`);
  Deno.symlinkSync(".git/config", `${folder}/to_config`);
}

/** What is in a `.git`, except for what the history itself writes there. */
function gitFiles(folder: string): string {
  return ["config", "hooks/post-commit", "hooks/monitor"]
    .map((name) => Deno.readTextFileSync(`${folder}/.git/${name}`)).join("\0");
}

Deno.test("no tool reaches into a .git, whatever it is called, and nothing in there is run", async (t) => {
  using folder = tempFolder();
  await using server = new TestServer(["--transport=stdio", `--workspaces-root=${folder.path}`]);
  await server.initialize();
  const { workspaceId, path: workspace } = await newWorkspace(server);
  await valueOf(server, "fs_write_file", { workspaceId, path: "ok.txt", content: "ok\n" });
  plant(workspace);
  const before = gitFiles(workspace);

  await t.step("every tool that takes a path is in the table", async () => {
    const { result } = await server.request("tools/list");
    const taking = result.tools.filter((tool: { inputSchema: { properties: Record<string, unknown> } }) =>
      ["path", "source"].some((name) => name in tool.inputSchema.properties)
    ).map((tool: { name: string }) => tool.name);
    const known = Object.keys(CALLS).filter((name) => name !== "fs_apply"); // its paths are in a list
    assertEquals(taking.sort(), [...known, "multi_edit_text_file"].sort());
  });

  for (const [tool, argumentsFor] of Object.entries(CALLS)) {
    await t.step(`${tool} refuses every way into a .git`, async () => {
      for (const path of PATHS) {
        if (LINKS_THEMSELVES.has(tool) && /^to_\w+$/.test(path)) continue;
        for (const args of argumentsFor(path)) {
          const { code, message } = await failureOf(server, tool, { workspaceId, ...args });
          // Nothing is behind a person's link to a file, wherever the link leads.
          const wanted = /^to_.*config\/new$/.test(String(args.path)) ? "INVALID_INPUT" : "OUT_OF_BOUNDS";
          assertEquals(code, wanted, `${tool} ${JSON.stringify(args)}: ${message}`);
        }
      }
    });
  }

  await t.step("multi_edit_text_file refuses them, relative and absolute", async () => {
    const edits = [{ old_string: SECRET, new_string: "x" }];
    for (const path of PATHS) {
      for (const args of [{ workspaceId, path }, { path: `${workspace}/${path}` }]) {
        const { error } = await server.request("tools/call", {
          name: "multi_edit_text_file",
          arguments: { ...args, edits },
        });
        assertEquals(error?.code, -32002, path);
        assertEquals(JSON.stringify(error).includes(SECRET), false);
      }
    }
  });

  await t.step("fs_read_multiple_files refuses them one by one", async () => {
    const { text } = await server.call("fs_read_multiple_files", { workspaceId, paths: PATHS });
    const { results } = JSON.parse(text);
    for (const result of results) assert(result.error.startsWith("OUT_OF_BOUNDS: "), JSON.stringify(result));
    assertEquals([results.length, text.includes(SECRET)], [PATHS.length, false]);
  });

  await t.step("nothing is revealed about links to a .git", async () => {
    const answers = [
      await server.call("fs_list_directory", { workspaceId }),
      await server.call("fs_list_directory_with_sizes", { workspaceId }),
      await server.call("fs_directory_tree", { workspaceId }),
      await server.call("fs_search_files", { workspaceId, pattern: "**" }),
      await server.call("fs_search_files", { workspaceId, pattern: "**/config" }),
    ];
    for (const { text, isError } of answers) {
      assertEquals([isError, /hooks|HEAD|"config|\.git(?!keep)\b/.test(text)], [false, false], text);
    }
    const { entries } = answers[1]?.value;
    const links = entries.filter(({ name }: { name: string }) => name.startsWith("to_"));
    assertEquals(links.map(({ size, type }: Record<string, unknown>) => [type, size]), [["file", 0], [
      "file",
      0,
    ]]);
  });

  await t.step(
    "writing, reading and history tools run no hook and no monitor, and change no settings",
    async () => {
      await valueOf(server, "fs_write_file", { workspaceId, path: "ok.txt", content: "again\n" });
      await valueOf(server, "fs_diff", { workspaceId, from: "HEAD~1", to: "HEAD" });
      await valueOf(server, "fs_restore", { workspaceId, commit: "HEAD~1", path: "ok.txt" });
      const { log } = await valueOf(server, "fs_get_commit_history", { workspaceId });
      assertEquals(log.filter(({ author }: { author: string }) => author.includes(SECRET)), []);
      assertEquals(gitFiles(workspace), before);
      for (const place of [workspace, folder.path, `${workspace}/.git`]) {
        assertEquals([...Deno.readDirSync(place)].filter(({ name }) => name === "RAN"), []);
      }
    },
  );
});

Deno.test(
  withGit("a folder whose .git is a file, a link or missing is not a workspace, and is left alone"),
  async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--transport=stdio", `--workspaces-root=${folder.path}`]);
    await server.initialize();
    const real = await newWorkspace(server, "real");
    await valueOf(server, "fs_write_file", { workspaceId: "real", path: "a.txt", content: SECRET });
    folder.write("pointer/.git", `gitdir: ${real.path}/.git\n`);
    folder.write("plain/a.txt", SECRET);
    folder.write("linked/a.txt", SECRET);
    folder.write(".hidden/.git/HEAD", SECRET);
    Deno.symlinkSync("../real/.git", `${folder.path}/linked/.git`);
    Deno.symlinkSync("real", `${folder.path}/alias`);
    const refusals: [id: string, code: string][] = [
      ["pointer", "UNSUPPORTED"],
      ["linked", "UNSUPPORTED"],
      ["plain", "UNSUPPORTED"],
      ["alias", "OUT_OF_BOUNDS"],
      [".hidden", "NOT_FOUND"],
      [".", "NOT_FOUND"],
      ["", "NOT_FOUND"],
      ["..", "OUT_OF_BOUNDS"],
      ["real/../real", "OUT_OF_BOUNDS"],
      ["real/.git", "OUT_OF_BOUNDS"],
      [folder.path, "OUT_OF_BOUNDS"],
      ["real\0", "OUT_OF_BOUNDS"],
      ["constructor", "NOT_FOUND"],
    ];
    for (const [workspaceId, code] of refusals) {
      for (const tool of ["fs_read_text_file", "fs_write_file"]) {
        const args = { workspaceId, path: "a.txt", ...(tool === "fs_write_file" ? { content: "x" } : {}) };
        const failure = await failureOf(server, tool, args);
        assertEquals(failure.code, code, `${workspaceId}: ${failure.message}`);
        assertEquals(JSON.stringify(failure).includes(SECRET), false);
      }
    }
    const { workspaces } = await valueOf(server, "workspace_list", {});
    assertEquals(workspaces, [{ workspaceId: "real" }]);
    assertEquals(folder.read("plain/a.txt") + folder.read("linked/a.txt"), SECRET + SECRET);
    await assertSound(real.path);
  },
);

Deno.test(
  withGit("a workspace that a person creates, deletes or recreates at run time is noticed"),
  async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--transport=stdio", `--workspaces-root=${folder.path}`]);
    await server.initialize();
    const path = `${folder.path}/Their Own`;
    const write = { workspaceId: "Their Own", path: "a.txt", content: "a\n" };
    for (let round = 0; round < 2; round++) {
      assertEquals((await failureOf(server, "fs_write_file", write)).code, "NOT_FOUND");
      Deno.mkdirSync(path);
      await git(path, "init", "--quiet", "--initial-branch=main");
      const { commit } = await valueOf(server, "fs_write_file", write);
      assertEquals(await git(path, "rev-list", "HEAD"), `${commit}\n`);
      await git(path, "commit", "--quiet", "--allow-empty", "-m", "by hand");
      await git(path, "gc", "--quiet");
      await valueOf(server, "fs_write_file", { ...write, content: "b\n" });
      assertEquals((await git(path, "rev-list", "--count", "HEAD")).trim(), "3");
      await assertSound(path);
      Deno.removeSync(path, { recursive: true });
    }
  },
);

Deno.test(
  withGit("states of a repository that tools cannot change are read, and never changed"),
  async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--transport=stdio", `--workspaces-root=${folder.path}`]);
    await server.initialize();
    const make = async (id: string, ...options: string[]) => {
      const path = `${folder.path}/${id}`;
      folder.write(`${id}/a.txt`, "a\n");
      await git(path, "init", "--quiet", "--initial-branch=main", ...options);
      await git(path, "add", ".");
      await git(path, "commit", "--quiet", "-m", "first");
      return path;
    };
    await make("sha256", "--object-format=sha256");
    await git(await make("detached"), "checkout", "--quiet", "--detach");
    const merging = await make("merging");
    Deno.writeTextFileSync(`${merging}/.git/MERGE_HEAD`, await git(merging, "rev-parse", "HEAD"));
    await make("outer");
    await make("outer/inner");
    const cases: [workspaceId: string, path: string, code: string][] = [
      ["sha256", "a.txt", "UNSUPPORTED"],
      ["detached", "a.txt", "UNSUPPORTED"],
      ["merging", "a.txt", "CONFLICT"],
      ["outer", "inner/a.txt", "UNSUPPORTED"],
    ];
    for (const [workspaceId, path, code] of cases) {
      const target = { workspaceId, path };
      const before = await git(`${folder.path}/${workspaceId}`, "rev-parse", "HEAD");
      assertEquals((await valueOf(server, "fs_read_text_file", target)).content, "a\n");
      for (
        const [tool, args] of [
          ["fs_write_file", { ...target, content: "b\n" }],
          ["fs_edit_file", { ...target, edits: [{ oldText: "a", newText: "b" }] }],
          ["fs_move_file", { workspaceId, source: path, destination: "b.txt" }],
        ] as const
      ) {
        const failure = await failureOf(server, tool, args);
        assertEquals(failure.code, code, `${tool} in ${workspaceId}: ${failure.message}`);
      }
      assertEquals(folder.read(`${workspaceId}/${path}`), "a\n");
      assertEquals(await git(`${folder.path}/${workspaceId}`, "rev-parse", "HEAD"), before);
    }
  },
);
