// A day's work in brief: the memory a server holds after its first tools/list, after 10,000 calls of all kinds, and
// after ten seconds of rest. Linux only, like all memory figures.

import { join } from "@std/path/join";
import { executable } from "../executable.ts";
import { sampleText } from "../fixtures.ts";
import type { Server } from "../peers.ts";
import type { Row, Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { Launch, StdioClient, ToolCall } from "../stdio_client.ts";

const MIB = 1024 * 1024;
const CALLS = 10_000;
const REST_MS = 10_000;
const FILES = 20;
const LINES = ["first", "middle", "last"];

const ROWS: readonly Row[] = [
  { key: "after", label: "memory after 10,000 calls", unit: "MiB", target: 1.1 },
  {
    key: "rested",
    label: "memory after 10 s of rest, relative to after tools/list",
    unit: "×",
    limit: 1.3,
  },
];

export const memory: Scenario = {
  name: "memory",
  rounds: 5,
  forAnyServer: true,
  rows: [
    ...ROWS,
    ...(executable === undefined ? [] : ROWS.map((row) => ({
      ...row,
      key: `executable.${row.key}`,
      label: `executable, ${row.label}`,
    }))),
  ],
  note: "7 of 10 calls read 1 KiB, one lists 20 files, one overwrites a file, one edits a line",
  prepare(dir) {
    for (let i = 0; i < FILES; i++) Deno.writeTextFileSync(join(dir, `file_${i}.txt`), sampleText(1024, i));
  },
  async round(session) {
    if (Deno.build.os !== "linux") return {};
    const { side } = session.server;
    const plain = await work(session, session.server.launch(session.dir));
    if (executable === undefined) return plain;
    const compiled = side === "paddock"
      ? await work(session, { command: executable.path, args: [session.dir] })
      : plain;
    const named = Object.entries(compiled).map(([key, figure]) => [`executable.${key}`, figure]);
    return { ...plain, ...Object.fromEntries(named) };
  },
};

async function work(session: Session, launch: Launch): Promise<Record<string, number>> {
  const { server, dir } = session;
  const edited = `${server.side}.txt`;
  Deno.writeTextFileSync(join(dir, edited), LINES.join("\n") + "\n");
  await using client = session.spawn(launch);
  await client.initialize();
  await client.request("tools/list", {});
  const begun = rss(client);
  for (let i = 0; i < CALLS; i++) await client.callTool(callOf(server, { dir, edited, i }));
  const after = rss(client);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return { after: after / MIB, rested: rss(client) / begun };
}

function callOf(server: Server, { dir, edited, i }: { dir: string; edited: string; i: number }): ToolCall {
  const kind = i % 10;
  if (kind === 7) return server.list({ dir, path: "." });
  if (kind === 8) return server.write({ dir, path: `${server.side}_written.txt` }, sampleText(1024, i));
  if (kind === 9) {
    const version = (round: number) => round === 0 ? "middle" : `version ${round}`;
    const round = Math.floor(i / 10);
    const lines = {
      line: 2,
      old: version(round),
      new: version(round + 1),
      before: ["first"],
      after: ["last"],
    };
    return server.edit({ dir, path: edited }, lines);
  }
  return server.read({ dir, path: `file_${i % FILES}.txt` });
}

function rss(client: StdioClient): number {
  return client.memory()?.rss ?? NaN;
}
