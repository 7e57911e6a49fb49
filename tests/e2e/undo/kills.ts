/**
 * Several servers on one root and one store, each with a stream of changes and undos, killed without warning. What
 * was acknowledged must be there, what was in progress must have happened or not, an undo of two files in both of
 * them or in neither, and the store must be intact.
 */
import { DatabaseSync } from "node:sqlite";
import type { Random } from "../../support/random.ts";
import { TestServer } from "../../support/server.ts";

export interface KillOptions {
  readonly root: string;
  readonly undoDir: string;
  readonly agents: number;
  readonly kills: number;
  readonly random: Random;
}

/** What an agent knows about its two files. */
interface Known {
  contents: [string, string];
  /** The changes that it can undo, the last at the end, with what both files were before. */
  changes: { id: string; before: [string, string] }[];
  /** Those that are being undone. */
  leaving: { id: string; before: [string, string] }[];
}

export interface KillSum {
  acknowledged: number;
  undone: number;
  kills: number;
  problems: string[];
}

export async function killRounds(options: KillOptions): Promise<KillSum> {
  const sum: KillSum = { acknowledged: 0, undone: 0, kills: 0, problems: [] };
  const known = Array.from(
    { length: options.agents },
    (): Known => ({ contents: ["", ""], changes: [], leaving: [] }),
  );
  for (const [agent] of known.entries()) {
    for (const i of [0, 1]) Deno.writeTextFileSync(fileOf(options, agent, i), "");
  }
  while (sum.kills < options.kills) {
    const lives = known.map((own, agent) =>
      live({ ...options, random: options.random.fork() }, { own, agent, sum })
    );
    await Promise.all(lives);
    if (sum.problems.length > 0) return sum;
  }
  await checkAll(options, { known, sum });
  return sum;
}

function fileOf({ root }: KillOptions, agent: number, i: number): string {
  return `${root}/agent${agent}-${i}.txt`;
}

interface Life {
  own: Known;
  agent: number;
  sum: KillSum;
}

/** One life of a server, from start to kill. */
async function live(options: KillOptions, { own, agent, sum }: Life): Promise<void> {
  const { random } = options;
  await using server = new TestServer([options.root, `--undo-dir=${options.undoDir}`, "--log-level=error"]);
  const root = options.root.slice(options.root.lastIndexOf("/") + 1);
  await server.initialize();
  await server.call("history", { root, limit: 1 }); // recovers what the one before left half done
  check(options, { own, agent, sum });
  let isDead = false;
  const timer = setTimeout(() => {
    isDead = true;
    server.kill("SIGKILL");
  }, 50 + random.below(600));
  const dying = server.status.then(() => undefined);
  const call = (tool: string, args: Record<string, unknown>) =>
    Promise.race([server.call(tool, { root, ...args }).catch(() => undefined), dying]);
  while (!isDead) {
    const before: [string, string] = [...own.contents];
    if (own.changes.length > 2 && random.below(3) === 0) {
      const two = own.changes.splice(-2);
      const first = two[0];
      if (first === undefined) continue;
      own.leaving = two;
      allow(own, { before, after: first.before });
      const answer = await call("undo", { id: two.map(({ id }) => id).join(",") });
      if (answer === undefined) break;
      if (answer.isError) sum.problems.push(`agent ${agent}: undo: ${answer.text}`);
      settle(own, first.before);
      sum.undone += 2;
    } else {
      const i = random.below(2);
      const content = `${agent} ${random.below(1_000_000)}\n`.repeat(1 + random.below(50));
      const after: [string, string] = i === 0 ? [content, before[1]] : [before[0], content];
      allow(own, { before, after });
      const answer = await call("write_file", { path: `agent${agent}-${i}.txt`, content });
      if (answer === undefined) break;
      const { value, isError, text } = answer;
      if (isError || value.change === undefined) sum.problems.push(`agent ${agent}: write: ${text}`);
      settle(own, after);
      own.changes.push({ id: value?.change, before });
      sum.acknowledged++;
    }
  }
  clearTimeout(timer);
  await dying;
  sum.kills++;
}

const allowed = new WeakMap<Known, [string, string][]>();

function allow(own: Known, { before, after }: { before: [string, string]; after: [string, string] }): void {
  allowed.set(own, [before, after]);
}

function settle(own: Known, contents: [string, string]): void {
  own.contents = contents;
  own.leaving = [];
  allowed.delete(own);
}

/** What is there must be what was acknowledged, or what was in progress. */
function check(options: KillOptions, { own, agent, sum }: Life): void {
  const found: [string, string] = [
    Deno.readTextFileSync(fileOf(options, agent, 0)),
    Deno.readTextFileSync(fileOf(options, agent, 1)),
  ];
  const fits = (allowed.get(own) ?? [own.contents]).some((each) =>
    each[0] === found[0] && each[1] === found[1]
  );
  if (!fits) {
    sum.problems.push(`agent ${agent}: the files are neither what was acknowledged nor what was in progress`);
  }
  const isAsBefore = own.contents[0] === found[0] && own.contents[1] === found[1];
  if (isAsBefore) own.changes.push(...own.leaving); // nothing of it has happened
  else own.changes = []; // what was in progress has happened, and its id is unknown
  settle(own, found);
}

/** Everything that was acknowledged can be undone, or says why not. */
async function checkAll(
  options: KillOptions,
  { known, sum }: { known: Known[]; sum: KillSum },
): Promise<void> {
  await using server = new TestServer([options.root, `--undo-dir=${options.undoDir}`, "--log-level=error"]);
  const root = options.root.slice(options.root.lastIndexOf("/") + 1);
  await server.initialize();
  await server.call("history", { root, limit: 1 });
  for (const [agent, own] of known.entries()) {
    check(options, { own, agent, sum });
    for (const { id, before } of own.changes.toReversed()) {
      const { isError, text } = await server.call("undo", { root, id });
      if (isError) sum.problems.push(`agent ${agent}: ${text}`);
      settle(own, before);
      check(options, { own, agent, sum });
    }
  }
  await server.end();
  for (const { name } of Deno.readDirSync(options.undoDir)) {
    const db = new DatabaseSync(`${options.undoDir}/${name}/undo.db`);
    const { integrity_check } = db.prepare("pragma integrity_check").get() ?? {};
    if (integrity_check !== "ok") sum.problems.push(`integrity_check: ${integrity_check}`);
    const running = db.prepare("select count(*) as n from change where state in ('running', 'open')").get()
      ?.n;
    if (running !== 0) sum.problems.push(`${running} changes are still in progress`);
    db.close();
  }
}
