// What the fences cost: paddock against itself. The peer's column is paddock with less to do: a folder left
// alone, a search with --no-sandbox, a start without permission to set up the kernel fence.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import { paddock } from "../peers.ts";
import type { Figures, Scenario } from "../scenario.ts";
import { grepAll } from "../search_equal.ts";
import { writeSmallFiles } from "../search_tree.ts";
import type { Session } from "../session.ts";
import { StdioClient } from "../stdio_client.ts";

const READS = 300;
const LISTINGS = 10;
const ENTRIES = 1_000;
const SEARCHED = 20_000;
/** Longer than a folder must be left alone to count as unchanged. */
const QUIET_MS = 3_000;

/** All permissions but the one to load the C library, by which the kernel fence is set up. */
const NO_LIBRARIES = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-net",
  "--allow-run",
];

async function kept(session: Session, flags: readonly string[] = []): Promise<StdioClient> {
  return await session.kept(flags.join(" "), async () => {
    const { command, args } = paddock().launch(session.dir);
    const client = new StdioClient({ command, args: [...args.slice(0, -1), ...flags, ...args.slice(-1)] });
    await client.initialize();
    return client;
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Like an agent's folder: something was written there a moment ago. */
function touch(folder: string): void {
  Deno.writeTextFileSync(join(folder, "new"), "");
  Deno.removeSync(join(folder, "new"));
}

async function firstAnswer(session: Session, isFenced: boolean): Promise<number> {
  const { command, args } = paddock().launch(session.dir);
  const unfenced = args.flatMap((arg) => arg === "-A" ? NO_LIBRARIES : [arg]);
  await using client = session.spawn({ command, args: isFenced ? args : unfenced });
  await client.initialize();
  return performance.now() - client.startedAt;
}

export const fence: Scenario = {
  name: "fence",
  rounds: 9,
  peer: "paddock with less to do",
  note:
    "paddock against itself: the other column is a folder left alone for 3 s, a search with --no-sandbox, " +
    "and a start without permission to set up the kernel fence.",
  rows: [
    { key: "read", label: `${READS} reads of 1 KiB, in a folder just changed`, unit: "ms", target: 1.1 },
    { key: "list", label: `${LISTINGS} listings of 1,000 files, just changed`, unit: "ms", target: 1.1 },
    { key: "search", label: `20,000 small files, a word, fenced`, unit: "ms", target: 1.15 },
    { key: "start", label: "first answer, with the kernel fence", unit: "ms" },
  ],
  prepare(dir) {
    for (const folder of ["changed", "alone"]) {
      Deno.mkdirSync(join(dir, folder, "many"), { recursive: true });
      Deno.writeTextFileSync(join(dir, folder, "small.txt"), sampleText(1024));
      for (let i = 0; i < ENTRIES; i++) {
        Deno.writeTextFileSync(join(dir, folder, "many", `file${i}.txt`), `${i}`);
      }
    }
    Deno.mkdirSync(join(dir, "elsewhere"));
    writeSmallFiles(join(dir, "search"), SEARCHED);
    return new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  },
  async round(session): Promise<Figures> {
    const isChanged = session.server.side === "paddock";
    const folder = isChanged ? "changed" : "alone";
    const root = "field";
    const client = await kept(session);
    const call = (name: string, path: string) => client.callTool({ name, arguments: { root, path } });
    const changing = (path: string) =>
      touch(isChanged ? join(session.dir, folder, path) : join(session.dir, "elsewhere"));
    const searcher = await kept(session, ["--no-search-cache", ...(isChanged ? [] : ["--no-sandbox"])]);
    return {
      read: await timed(async () => {
        for (let i = 0; i < READS; i++) {
          changing("");
          await call("read_file", `${folder}/small.txt`);
        }
      }),
      list: await timed(async () => {
        for (let i = 0; i < LISTINGS; i++) {
          changing("many");
          await call("list_folder", `${folder}/many`);
        }
      }),
      search: await timed(() => grepAll(searcher, { root, path: "search", pattern: "file 4242$" })),
      start: await firstAnswer(session, isChanged),
    };
  },
};
