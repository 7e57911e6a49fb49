// The six scenarios that the flat surface's specification names, with targets that are times, not ratios.
// The peer does the closest thing it can: it lists without counting lines, and edits by text instead of by line.

import { join } from "@std/path/join";
import { executable } from "../executable.ts";
import { sampleText } from "../fixtures.ts";
import { flatLaunch, keptFlat, startFlat } from "../flat_client.ts";
import type { Figures, Row, Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import { StdioClient, type ToolCall } from "../stdio_client.ts";
import { spread } from "../summary.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const PROCESSES = 5;
const LINES = Array.from({ length: MIB / 64 }, (_, i) => `line ${i} `.padEnd(63, "abcdefghij "));
const EDITED = 8_000;
const FILES: Record<string, string> = {
  "small.txt": sampleText(KIB),
  "medium.txt": LINES.join("\n") + "\n",
  "paddock.txt": LINES.join("\n") + "\n",
  "peer.txt": LINES.join("\n") + "\n",
  "shared.txt": LINES.slice(0, 100 * KIB / 64).join("\n") + "\n",
};

const EXECUTABLE_ROW: Row = {
  key: "executableStart",
  label: "executable, start to first answer",
  unit: "ms",
  limit: 50,
};

export const flat: Scenario = {
  name: "flat",
  rounds: 7,
  rows: [
    { key: "first100", label: "list 100 files, first", unit: "ms", limit: 20 },
    { key: "list100", label: "list 100 files, again", unit: "ms", limit: 20 },
    { key: "first1000", label: "list 1,000 files, first", unit: "ms", limit: 40 },
    { key: "list1000", label: "list 1,000 files, again", unit: "ms", limit: 8 },
    { key: "start", label: "start to first answer", unit: "ms", limit: 100 },
    ...(executable === undefined ? [] : [EXECUTABLE_ROW]),
    { key: "read1k", label: "read 1 KiB", unit: "ms", limit: 5 },
    { key: "read1m", label: "read 1 MiB", unit: "ms", limit: 50 },
    { key: "edit1m", label: "edit 1 MiB", unit: "ms", limit: 100 },
    { key: "locks", label: "5 processes edit 100 KiB at once", unit: "ms", limit: 200 },
  ],
  note: "medians of single calls; the peer lists without counting lines and writes without fsync; " +
    "at once: from the first request to the last of five answers, one from each process",
  prepare(dir) {
    const old = Date.now() / 1_000 - 3_600; // recent changes are not remembered
    for (const count of [100, 1_000]) {
      const folder = join(dir, `list${count}`);
      Deno.mkdirSync(folder);
      for (let i = 0; i < count; i++) {
        const file = join(folder, `file_${i}.txt`);
        Deno.writeTextFileSync(file, sampleText(KIB, i));
        Deno.utimeSync(file, old, old);
      }
    }
    Deno.mkdirSync(join(dir, "files"));
    for (const [name, text] of Object.entries(FILES)) Deno.writeTextFileSync(join(dir, "files", name), text);
  },
  async round(session) {
    return session.server.side === "paddock" ? await flatRound(session) : await peerRound(session);
  },
};

async function flatRound(session: Session): Promise<Figures> {
  const call = (name: string, args: Record<string, unknown> = {}): ToolCall => ({ name, arguments: args });
  const figures: Record<string, number> = {};
  for (const count of [100, 1_000]) {
    await using client = await startFlat(session, join(session.dir, `list${count}`));
    figures[`first${count}`] = await once(client, call("list_files"));
    figures[`list${count}`] = await median(count === 100 ? 200 : 50, () => once(client, call("list_files")));
  }
  const folder = join(session.dir, "files");
  const client = await keptFlat(session, folder);
  let version = 0;
  const edit = (name: string, line: number) =>
    call("edit_file", { name, edits: [{ line, operation: "replace", content: `version ${version++}` }] });
  const others = await Promise.all(
    Array.from(
      { length: PROCESSES },
      (_, i) => session.kept(`process ${i}`, () => startFlat(session, folder)),
    ),
  );
  return {
    ...figures,
    start: await startTime(new StdioClient(flatLaunch(session, folder))),
    ...(executable === undefined ? {} : {
      executableStart: await startTime(
        session.spawn({ command: executable.path, args: [`--dir=${folder}`, "--transport=stdio"] }),
      ),
    }),
    read1k: await median(200, () => once(client, call("read_file", { name: "small.txt" }))),
    read1m: await median(20, () => once(client, call("read_file", { name: "medium.txt" }))),
    edit1m: await median(20, () => once(client, edit("paddock.txt", EDITED))),
    locks: await median(10, async () => {
      const start = performance.now();
      await Promise.all(others.map((other, i) => other.callTool(edit("shared.txt", i))));
      return performance.now() - start;
    }),
  };
}

async function peerRound(session: Session): Promise<Figures> {
  const { server, dir } = session;
  const client = await session.client();
  const at = (path: string) => ({ dir, path });
  const editable = join(dir, "files", "peer.txt");
  const lineNow = () => Deno.readTextFileSync(editable).split("\n")[EDITED] ?? "";
  let [version, old] = [0, lineNow()];
  const edit = async () => {
    const change = {
      line: EDITED + 1,
      old,
      new: `version ${version++} ${crypto.randomUUID()}`,
      before: [],
      after: [],
    };
    old = change.new;
    return await once(client, server.edit(at("files/peer.txt"), change));
  };
  return {
    list100: await median(50, () => once(client, server.list(at("list100")))),
    list1000: await median(10, () => once(client, server.list(at("list1000")))),
    ...await peerStart(session),
    read1k: await median(200, () => once(client, server.read(at("files/small.txt")))),
    read1m: await median(20, () => once(client, server.read(at("files/medium.txt")))),
    edit1m: await median(10, edit),
  };
}

/** The peer has no executable: its figure is beside both. */
async function peerStart(session: Session): Promise<Figures> {
  const start = await startTime(session.spawn());
  return { start, ...(executable !== undefined && { executableStart: start }) };
}

async function startTime(started: StdioClient): Promise<number> {
  await using client = started;
  await client.initialize();
  return performance.now() - client.startedAt;
}

async function once(client: StdioClient, call: ToolCall): Promise<number> {
  const start = performance.now();
  await client.callTool(call);
  return performance.now() - start;
}

async function median(times: number, measure: () => Promise<number>): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < times; i++) samples.push(await measure());
  return spread(samples)?.median ?? NaN;
}
