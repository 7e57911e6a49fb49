/** What a server does in a workspace when nobody is waiting for it. */
import { assert, assertEquals } from "@std/assert";
import { withGit } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { assertSound, git, newWorkspace, valueOf } from "./support.ts";

Deno.test(
  withGit("a workspace left alone for a moment has few packs, nothing in progress, and all commits"),
  async () => {
    using folder = tempFolder();
    const flags = ["--transport=stdio", `--workspaces-root=${folder.path}`, "--log-level=error"];
    await using server = new TestServer(flags);
    await server.initialize();
    const { workspaceId, path } = await newWorkspace(server);
    const commits: string[] = [];
    for (let i = 0; i < 20; i++) {
      const args = { workspaceId, path: "a.txt", content: `${i}\n` };
      commits.push((await valueOf(server, "fs_write_file", args)).commit);
    }
    const packs = () => [...Deno.readDirSync(`${path}/.git/objects/pack`)].length;
    const isRecorded = () => Deno.statSync(`${path}/.git/mcp/journal`).size > 0;
    for (let i = 0; i < 200 && (packs() > 2 || isRecorded()); i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assertEquals(packs(), 2, "a pack and its index");
    assert(!isRecorded());
    assertEquals((await git(path, "rev-list", "HEAD")).trim().split("\n"), commits.toReversed());
    await assertSound(path);
  },
);
