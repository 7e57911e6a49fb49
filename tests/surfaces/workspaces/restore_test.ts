import { assertEquals } from "@std/assert";
import { git } from "../../e2e/workspaces/support.ts";
import { withGit } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { workspacesSurface } from "./setup.ts";

Deno.test(
  withGit("fs_restore of many files takes as long as it needs, whatever the time limit of calls"),
  async () => {
    using folder = tempFolder();
    const making = workspacesSurface(folder.path);
    const { workspaceId, path } = await making.value("workspace_create", { name: "w" });
    const first = await making.value("fs_write_file", { workspaceId, path: "a", content: "1\n" });
    for (let i = 0; i < 500; i++) folder.write(`${workspaceId}/d${i % 10}/f${i}`, `${i}\n`);
    await git(path, "add", "-A");
    await git(path, "commit", "-qm", "many");
    const { value } = workspacesSurface(folder.path, { timeoutMs: 1 });
    const query = { workspaceId, commit: first.commit };
    assertEquals((await value("fs_restore", { ...query, dryRun: true })).count, 500);
    assertEquals((await value("fs_restore", query)).count, 500);
    assertEquals(await git(path, "diff", "--stat", first.commit, "HEAD"), "");
    assertEquals(await git(path, "status", "--porcelain"), "");
  },
);
