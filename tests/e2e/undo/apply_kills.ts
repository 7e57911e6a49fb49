/**
 * A server that applies some 200 changes at once, killed without warning somewhere in the middle; sometimes the next
 * one, which rolls them back, is killed as well. Then the root must be as before or as planned: every path, kind,
 * mode and content.
 */
import type { Random } from "../../support/random.ts";
import { TestServer } from "../../support/server.ts";
import { type Change, changesOn, type Tree } from "./random_changes.ts";

export interface ApplyKillOptions {
  readonly root: string;
  readonly undoDir: string;
  readonly kills: number;
  readonly operations: number;
  readonly random: Random;
}

export interface ApplyKillSum {
  kills: number;
  /** How often the root was neither right after a kill. */
  half: number;
  applied: number;
  recoveriesKilled: number;
  problems: string[];
}

const NAME = "project";
/** What a killed writer may leave beside a file; nobody sees it, and it is swept. */
const TEMPORARY = /\.paddock-/;

export function treeOf(root: string): Tree {
  const tree: Tree = new Map();
  const add = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${root}/${folder}`)) {
      if (TEMPORARY.test(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      tree.set(path, isDirectory ? null : Deno.readTextFileSync(`${root}/${path}`));
      if (isDirectory) add(path);
    }
  };
  add("");
  return tree;
}

function same(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([path, content]) => b.has(path) && b.get(path) === content);
}

function difference(found: Tree, expected: Tree): string {
  const paths = [...new Set([...found.keys(), ...expected.keys()])];
  const other = paths.filter((path) =>
    found.get(path) !== expected.get(path) || found.has(path) !== expected.has(path)
  );
  return `${other.length} paths differ: ${other.slice(0, 5).join(", ")}`;
}

export async function applyKillRounds(options: ApplyKillOptions): Promise<ApplyKillSum> {
  const { root, kills, operations, random } = options;
  const sum: ApplyKillSum = { kills: 0, half: 0, applied: 0, recoveriesKilled: 0, problems: [] };
  let usualMs = 0;
  for (let round = 0; sum.kills < kills && sum.problems.length === 0; round++) {
    const before = treeOf(root);
    const { changes, after } = changesOn(before, { count: operations, random });
    // Every few rounds nobody is killed: that measures how long it takes, and checks that the changes are right.
    const killAfter = round % 10 === 0 ? undefined : random.below(Math.ceil(usualMs * 1.1));
    const took = await applied(options, { changes, killAfter });
    if (killAfter === undefined) {
      usualMs = took.ms;
      if (took.error !== undefined || !same(treeOf(root), after)) {
        sum.problems.push(`not applied: ${took.error ?? difference(treeOf(root), after)}`);
      }
      continue;
    }
    sum.kills++;
    const left = treeOf(root);
    if (!same(left, before) && !same(left, after)) sum.half++;
    if (random.below(3) === 0) {
      await comeNext(options, { killAfter: random.below(400) });
      sum.recoveriesKilled++;
    }
    const said = await comeThrough(options);
    const found = treeOf(root);
    if (same(found, after)) sum.applied++;
    else if (!same(found, before)) {
      sum.problems.push(
        `round ${round}, seed ${random.seed}: neither: ${difference(found, before)}; ${said}`,
      );
    }
  }
  return sum;
}

interface Life {
  killAfter?: number | undefined;
}

function startServer({ root, undoDir }: ApplyKillOptions): TestServer {
  return new TestServer([root, `--undo-dir=${undoDir}`, "--log-level=error"]);
}

async function applied(
  options: ApplyKillOptions,
  { changes, killAfter }: Life & { changes: readonly Change[] },
): Promise<{ ms: number; error?: string }> {
  await using server = startServer(options);
  await server.initialize();
  await server.call("history", { root: NAME }); // all code is loaded
  const dying = server.status.then(() => undefined);
  const begun = performance.now();
  const answer = server.call("apply_changes", { root: NAME, changes }).catch(() => undefined);
  if (killAfter !== undefined) setTimeout(() => server.kill("SIGKILL"), killAfter);
  const result = await Promise.race([answer, dying]);
  const ms = performance.now() - begun;
  if (killAfter !== undefined) await dying;
  return result?.isError ? { ms, error: result.text } : { ms };
}

/** A server whose call times out on a slow machine has not seen the root: then the next one continues. */
async function comeThrough(options: ApplyKillOptions): Promise<string> {
  let said = "";
  for (let attempt = 0; attempt < 10; attempt++) {
    const answer = await comeNext(options, {});
    if (answer === undefined || !answer.isError) return said;
    said += `${answer.text}; `;
    if (!/timed out/.test(answer.text)) return said;
  }
  return said;
}

/** The next call, whatever it is, recovers what is half done. */
async function comeNext(
  options: ApplyKillOptions,
  { killAfter }: Life,
): Promise<{ isError: boolean; text: string } | undefined> {
  const { random } = options;
  await using server = startServer(options);
  await server.initialize();
  const calls: [string, Record<string, unknown>][] = [
    ["list_folder", {}],
    ["stat_file", { path: "." }],
    ["history", {}],
    ["grep", { pattern: "x" }],
    ["create_folder", { path: "." }], // a call that writes but changes nothing: any other folder may be gone by now
  ];
  const [tool, args] = random.pick(calls);
  const dying = server.status.then(() => undefined);
  const answer = server.call(tool, { root: NAME, ...args }).catch(() => undefined);
  if (killAfter === undefined) return await answer;
  setTimeout(() => server.kill("SIGKILL"), killAfter);
  await dying;
  return undefined;
}
