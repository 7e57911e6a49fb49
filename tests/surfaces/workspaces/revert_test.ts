/** One commit reverted while those after it stay, with git's own revert as the judge. */
import { assertEquals, assertMatch } from "@std/assert";
import { git } from "../../e2e/workspaces/support.ts";
import { withGit } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Calling, workspacesSurface } from "./setup.ts";

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
const changed = (line: number, text: string) => LINES.replace(`line ${line}\n`, `${text}\n`);

interface Ground extends Calling {
  workspaceId: string;
  path: string;
  apply(...changes: Record<string, unknown>[]): Promise<string>;
  /** What `git revert` makes of it, in a clone. */
  byGit(commit: string): Promise<string>;
}

async function ground(test: (given: Ground) => Promise<void>): Promise<void> {
  using folder = tempFolder({ inMemory: true });
  const calling = workspacesSurface(folder.path);
  const { workspaceId, path } = await calling.value("workspace_create", { name: "w" });
  await test({
    ...calling,
    workspaceId,
    path,
    apply: async (...changes) => (await calling.value("fs_apply", { workspaceId, changes })).commit,
    byGit: async (commit) => {
      const clone = `${folder.path}/clone-${crypto.randomUUID()}`;
      await git(folder.path, "clone", "-q", path, clone);
      await git(clone, "revert", "--no-edit", commit);
      return await git(clone, "rev-parse", "HEAD^{tree}");
    },
  });
}

const write = (path: string, content: string) => ({ op: "write", path, content });
const move = (source: string, destination: string) => ({ op: "move", source, destination });

const CASES: [
  what: string,
  first: Record<string, unknown>[],
  taken: Record<string, unknown>[],
  later: Record<string, unknown>[],
][] = [
  ["a change of a line, with another later", [write("a", LINES)], [write("a", changed(3, "three"))], [
    write("a", changed(3, "three").replace("line 15\n", "fifteen\n")),
  ]],
  ["new files", [write("a", "1\n")], [write("n/b", "2\n"), write("c", "3\n")], [write("a", "2\n")]],
  ["a deletion", [write("a", "1\n"), write("d/b", LINES)], [{ op: "delete", path: "d" }], [
    write("a", "2\n"),
  ]],
  ["a move", [write("a", LINES)], [move("a", "b/a")], [write("c", "1\n")]],
  ["a move, with a change later", [write("a", LINES)], [move("a", "b/a")], [
    write("b/a", changed(9, "nine")),
  ]],
  ["a change of a file that was moved since", [write("a", LINES)], [write("a", changed(2, "two"))], [
    move("a", "z/a"),
  ]],
  ["the last commit", [write("a", "1\n")], [write("a", "2\n"), write("b", "1\n")], []],
];

for (const [what, first, taken, later] of CASES) {
  Deno.test(
    withGit(`fs_revert reverts what git revert does: ${what}`),
    () =>
      ground(async ({ value, apply, byGit, workspaceId, path }) => {
        await apply(...first);
        const commit = await apply(...taken);
        if (later.length > 0) await apply(...later);
        const wanted = await byGit(commit);
        const head = await git(path, "rev-parse", "HEAD");
        const shown = await value("fs_revert", { workspaceId, commit, dryRun: true });
        assertEquals([await git(path, "rev-parse", "HEAD"), await git(path, "status", "--porcelain")], [
          head,
          "",
        ]);
        const made = await value("fs_revert", { workspaceId, commit });
        assertEquals(await git(path, "rev-parse", "HEAD^{tree}"), wanted);
        assertEquals(await git(path, "status", "--porcelain"), "");
        const { diff } = await value("fs_show_commit", { workspaceId, commit: made.commit });
        assertEquals(shown.diff, diff);
        assertMatch(
          await git(path, "log", "-1", "--format=%s"),
          new RegExp(`^mcp/fs/revert: Revert ${commit.slice(0, 10)} \\(mcp/fs/apply: Change `),
        );
        await value("fs_revert", { workspaceId, commit: made.commit }); // and back
        assertEquals(
          await git(path, "rev-parse", "HEAD^{tree}"),
          await git(path, "rev-parse", `${head.trim()}^{tree}`),
        );
      }),
  );
}

Deno.test(
  withGit(
    "fs_revert names the lines, the file and the later commit of a conflict, and changes nothing",
  ),
  () =>
    ground(async ({ value, failure, apply, workspaceId, path }) => {
      await apply(write("a", LINES), write("b", "1\n"));
      const commit = await apply(write("a", changed(3, "three")), write("b", "2\n"), write("n", "new\n"));
      const later = await apply(write("a", changed(3, "THREE")), write("n", "newer\n"));
      const head = await git(path, "rev-parse", "HEAD");
      const refused = await failure("fs_revert", { workspaceId, commit });
      assertEquals(refused.code, "CONFLICT");
      assertMatch(
        refused.message,
        new RegExp(`"a": line 3 was changed since \\(by ${later.slice(0, 10)}\\)`),
      );
      assertMatch(
        refused.message,
        new RegExp(`"n": it was created then and changed since \\(by ${later.slice(0, 10)}\\)`),
      );
      assertEquals([await git(path, "rev-parse", "HEAD"), await git(path, "status", "--porcelain")], [
        head,
        "",
      ]);
      assertEquals(
        (await failure("fs_revert", { workspaceId, commit, dryRun: true })).message,
        refused.message,
      );
      await value("fs_revert", { workspaceId, commit: later });
      await value("fs_revert", { workspaceId, commit });
      assertEquals(await git(path, "diff", "--stat", "HEAD~4", "HEAD"), "");
    }),
);

Deno.test(
  withGit("fs_revert merges with what a person has changed and not committed, and keeps that first"),
  () =>
    ground(async ({ value, apply, workspaceId, path }) => {
      await apply(write("a", LINES));
      const commit = await apply(write("a", changed(3, "three")));
      Deno.writeTextFileSync(`${path}/a`, changed(3, "three").replace("line 18\n", "by hand\n"));
      const { kept, merged } = await value("fs_revert", { workspaceId, commit });
      assertEquals(merged, ["a"]);
      assertEquals(Deno.readTextFileSync(`${path}/a`), changed(18, "by hand"));
      assertEquals(await git(path, "log", "-1", "--format=%an", kept), "outside paddock\n");
    }),
);

Deno.test(
  withGit("fs_revert refuses a merge, and anything that is not a commit"),
  () =>
    ground(async ({ failure, apply, workspaceId, path }) => {
      await apply(write("a", "1\n"));
      await git(path, "checkout", "-qb", "side");
      await git(path, "commit", "--allow-empty", "-qm", "side");
      await git(path, "checkout", "-q", "main");
      await git(path, "commit", "--allow-empty", "-qm", "main");
      await git(path, "merge", "-q", "--no-edit", "side");
      assertEquals((await failure("fs_revert", { workspaceId, commit: "HEAD" })).code, "UNSUPPORTED");
      assertEquals((await failure("fs_revert", { workspaceId, commit: "HEAD~99" })).code, "NOT_FOUND");
      assertEquals((await failure("fs_revert", { workspaceId, commit: "main" })).code, "INVALID_INPUT");
    }),
);

Deno.test(
  withGit("fs_restore shows the diff in its dry run, including what is not committed"),
  () =>
    ground(async ({ value, apply, workspaceId, path }) => {
      const first = await apply(write("a", "1\n"), write("b", "1\n"));
      await apply(write("a", "2\n"), write("c", "new\n"));
      Deno.writeTextFileSync(`${path}/b`, "by hand\n");
      const shown = await value("fs_restore", { workspaceId, commit: first, dryRun: true });
      assertEquals(shown.count, 3);
      for (const line of ["-2", "+1", "-by hand", "deleted file mode 100644"]) {
        assertEquals(shown.diff.split("\n").includes(line), true, line);
      }
    }),
);
