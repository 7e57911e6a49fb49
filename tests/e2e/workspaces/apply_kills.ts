/**
 * A server that makes some 200 changes as one commit, killed without warning somewhere in the middle; sometimes the
 * next one, which completes them, is killed as well. Then files and history must be as before or as planned, and git
 * must find nothing wrong.
 */
import type { Random } from "../../support/random.ts";
import { TestServer } from "../../support/server.ts";
import { type Change, changesOn, type Tree } from "../undo/random_changes.ts";
import { assertSound, git, newWorkspace } from "./support.ts";

export interface ApplyKillOptions {
  /** The folder of the workspaces. */
  readonly root: string;
  readonly kills: number;
  readonly operations: number;
  readonly random: Random;
}

export interface ApplyKillSum {
  kills: number;
  /** How often the files were neither right after a kill. */
  half: number;
  made: number;
  recoveriesKilled: number;
}

/** What is in a workspace for a person; empty folders are kept by a file. */
function treeOf(path: string): Tree {
  const tree: Tree = new Map();
  const add = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${path}/${folder}`)) {
      if (name === ".git" || name === ".gitkeep" || name.startsWith(".paddock-")) continue;
      const below = folder === "" ? name : `${folder}/${name}`;
      tree.set(below, isDirectory ? null : Deno.readTextFileSync(`${path}/${below}`));
      if (isDirectory) add(below);
    }
  };
  add("");
  return tree;
}

function otherIn(found: Tree, expected: Tree): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])].filter((path) =>
    found.get(path) !== expected.get(path) || found.has(path) !== expected.has(path)
  );
}

export async function applyKillRounds(options: ApplyKillOptions): Promise<ApplyKillSum> {
  const { root, kills, operations, random } = options;
  const sum: ApplyKillSum = { kills: 0, half: 0, made: 0, recoveriesKilled: 0 };
  const { workspaceId, path } = await withServer(root, (server) => newWorkspace(server));
  let usualMs = 0;
  for (let round = 0; sum.kills < kills; round++) {
    const before = treeOf(path);
    const { changes, after } = changesOn(before, { count: operations, random, movesOver: false });
    const head = await headOf(path);
    // Every few rounds nobody is killed: that measures how long it takes, and checks that the changes are right.
    const isSpared = round % 10 === 0;
    const killAfter = isSpared ? undefined : random.below(Math.ceil(usualMs * 1.1));
    const ms = await applied({ root, workspaceId, changes, killAfter });
    const left = treeOf(path);
    const where = `round ${round}, seed ${random.seed}`;
    if (isSpared) {
      usualMs = ms;
      const other = otherIn(left, after);
      if (other.length > 0) throw new Error(`${where}: not applied: ${other.slice(0, 5).join(", ")}`);
      continue;
    }
    sum.kills++;
    if (otherIn(left, before).length > 0 && otherIn(left, after).length > 0) sum.half++;
    if (random.below(3) === 0) {
      await comeNext({ root, workspaceId, random, killAfter: random.below(300) });
      sum.recoveriesKilled++;
    }
    await comeNext({ root, workspaceId, random });
    const isMade = await headOf(path) !== head;
    if (isMade) sum.made++;
    const other = otherIn(treeOf(path), isMade ? after : before);
    if (other.length > 0) {
      throw new Error(
        `${where}: ${isMade ? "made" : "not made"}, but ${other.length} paths: ${other.slice(0, 5)}`,
      );
    }
    const changed = await git(path, "status", "--porcelain");
    if (changed !== "") throw new Error(`${where}: git shows\n${changed}`);
  }
  await assertSound(path);
  return sum;
}

async function headOf(path: string): Promise<string> {
  return await git(path, "rev-parse", "--verify", "-q", "HEAD").catch(() => "none");
}

async function withServer<T>(root: string, act: (server: TestServer) => Promise<T>): Promise<T> {
  const flags = ["--transport=stdio", `--workspaces-root=${root}`, "--log-level=error", "--timeout=120"];
  await using server = new TestServer(flags);
  await server.initialize();
  return await act(server);
}

interface Life {
  readonly root: string;
  readonly workspaceId: string;
  readonly killAfter?: number | undefined;
}

async function applied({ root, workspaceId, changes, killAfter }: Life & { changes: readonly Change[] }) {
  return await withServer(root, async (server) => {
    await server.call("fs_get_commit_history", { workspaceId }); // all code is loaded
    const dying = server.status.then(() => undefined);
    const begun = performance.now();
    const answer = server.call("fs_apply", { workspaceId, changes }).catch(() => undefined);
    if (killAfter !== undefined) setTimeout(() => server.kill("SIGKILL"), killAfter);
    const result = await Promise.race([answer, dying]);
    if (killAfter !== undefined) await dying;
    if (result?.isError) throw new Error(result.text);
    return performance.now() - begun;
  });
}

/** The next call, whatever it is, completes what is half done. */
async function comeNext({ root, workspaceId, random, killAfter }: Life & { random: Random }): Promise<void> {
  await withServer(root, async (server) => {
    const calls: [string, Record<string, unknown>][] = [
      ["fs_list_directory", {}],
      ["fs_grep", { pattern: "x" }],
      ["fs_get_commit_history", {}],
      ["fs_diff", {}],
    ];
    const [tool, args] = random.pick(calls);
    const dying = server.status.then(() => undefined);
    const answer = server.call(tool, { workspaceId, ...args }).catch(() => undefined);
    if (killAfter === undefined) {
      const result = await answer;
      if (result === undefined || result.isError) throw new Error(`${tool}: ${result?.text ?? server.log}`);
      return;
    }
    setTimeout(() => server.kill("SIGKILL"), killAfter);
    await dying;
  });
}
