/** What the history guarantees: nothing acknowledged is lost, whoever else writes and whenever a server is killed. */
import { assert, assertEquals } from "@std/assert";
import { TestServer } from "../../support/server.ts";
import { assertSound, git, newWorkspace, valueOf } from "./support.ts";
import { streamOfWrites, type Written } from "./writer.ts";

async function withServers<T>(
  { root, count }: { root: string; count: number },
  use: (servers: TestServer[]) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const flags = ["--transport=stdio", `--workspaces-root=${root}`, "--log-level=error", "--timeout=120"];
  const servers = Array.from({ length: count }, () => stack.use(new TestServer(flags)));
  await Promise.all(servers.map((server) => server.initialize()));
  try {
    return await use(servers);
  } catch (error) {
    throw new Error(`the servers' log:\n${servers.map(({ log }) => log).join("")}`, { cause: error });
  }
}

/** Several servers write to one workspace at once, each its own files and one shared file. */
export async function checkManyWriters(
  root: string,
  { servers: count, writes }: { servers: number; writes: number },
): Promise<void> {
  await withServers({ root, count }, async (servers) => {
    const [first] = servers;
    assert(first !== undefined);
    const { workspaceId, path } = await newWorkspace(first);
    const commits = await Promise.all(servers.map(async (server, s) => {
      const own: string[] = [];
      for (let i = 0; i < writes; i++) {
        const file = i % 5 === 0 ? "shared.txt" : `${s}/${i}.txt`;
        const content = `${s} ${i}\n`;
        own.push((await valueOf(server, "fs_write_file", { workspaceId, path: file, content })).commit);
      }
      return own;
    }));
    const history = (await git(path, "rev-list", "HEAD")).trim().split("\n");
    const all = commits.flat();
    assertEquals(new Set(all).size, count * writes);
    assertEquals(history.filter((commit) => all.includes(commit)).length, count * writes);
    for (const own of commits) {
      const order = own.map((commit) => history.indexOf(commit));
      assertEquals(order, order.toSorted((a, b) => b - a)); // each server's commits in its own order
    }
    await assertSound(path);
    const { log } = await valueOf(first, "fs_get_commit_history", { workspaceId, limit: 1_000 });
    assertEquals(log.map(({ commit }: { commit: string }) => commit), history);
  });
}

/**
 * A server is killed in a stream of writes, several times; the first call of the next one finds everything in order.
 */
export async function checkKills(root: string, { kills }: { kills: number }): Promise<void> {
  let workspace: { workspaceId: string; path: string } | undefined;
  const done: Written[] = [];
  for (let round = 0; round <= kills; round++) {
    await withServers({ root, count: 1 }, async ([server]) => {
      assert(server !== undefined);
      const { workspaceId, path } = workspace ??= await newWorkspace(server);
      await valueOf(server, "fs_list_directory", { workspaceId });
      await assertKept(path, done);
      if (round === kills) return await assertSound(path);
      const stream = streamOfWrites(server, { workspaceId, tag: `r${round}` });
      await stream.acknowledged(5 + Math.floor(Math.random() * 10));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      done.push(...await stream.kill());
    });
  }
}

/** What was acknowledged is in the history, and the files are as in the last commit. */
async function assertKept(folder: string, done: readonly Written[]): Promise<void> {
  assertEquals(await git(folder, "status", "--porcelain"), "");
  if (done.length === 0) return;
  const history = new Set((await git(folder, "rev-list", "HEAD")).trim().split("\n"));
  for (const { file, content, commit } of done) {
    assert(history.has(commit), `the commit of ${file} is lost`);
    if (file !== "shared.txt") assertEquals(Deno.readTextFileSync(`${folder}/${file}`), content);
  }
}
