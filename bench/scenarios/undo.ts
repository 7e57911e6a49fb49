// What undo costs: the same server with and without recording every change, in turns. A write of 1 KiB, the
// removal of a folder with 4,000 files, the store's size after 1,000 changes, and a page of the history of 10,000.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import { paddock } from "../peers.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { StdioClient } from "../stdio_client.ts";

const WRITES = 200;
const FILES = 4_000;
const CHANGES = 1_000;
const LONG = 10_000;
const PAGE = 50;
const MIB = 1024 * 1024;

export const undo: Scenario = {
  name: "undo",
  rounds: 5,
  peer: "paddock --no-undo",
  rows: [
    { key: "write", label: "200 writes of 1 KiB, recorded", unit: "ms", target: 1.8 },
    { key: "remove", label: "remove_folder of 4,000 files, recorded", unit: "ms", target: 1.2 },
    { key: "store", label: "store after 1,000 changes of 1 KiB files", unit: "MiB", limit: 5 },
    { key: "page", label: "50 of 10,000 changes", unit: "ms", limit: 30 },
  ],
  note: "the store is measured once its server has ended; the page is the last, newest changes first",
  async verify(session) {
    if (session.server.side === "peer") return;
    const client = await server(session, "field");
    await client.callTool({
      name: "write_file",
      arguments: { root: "field", path: "a.txt", content: "two" },
    });
    await client.callTool({ name: "undo", arguments: { root: "field" } });
    if (exists(join(session.dir, "a.txt"))) throw new Error("undo did not remove the new file");
  },
  async round(session) {
    const client = await server(session, "field");
    const figures: Record<string, number> = {
      write: await writes(client, WRITES),
      remove: await removal(session, client),
    };
    if (session.server.side === "peer") return figures;
    return { ...figures, ...await session.kept("store", () => measureStore(session)) };
  },
};

/** Of a separate folder below the session's. */
function server(session: Session, name: string): Promise<StdioClient> {
  return session.kept(`server ${name}`, async () => {
    const dir = name === "field" ? session.dir : join(session.dir, "..", name);
    Deno.mkdirSync(dir, { recursive: true });
    const { command, args } = paddock().launch(dir);
    const flag = session.server.side === "peer"
      ? "--no-undo"
      : `--undo-dir=${join(session.dir, "..", "undo")}`;
    const client = session.spawn({ command, args: [...args, flag] });
    await client.initialize();
    return client;
  });
}

async function writes(client: StdioClient, count: number, root = "field"): Promise<number> {
  const calls = Array.from({ length: count }, (_, i) => ({
    name: "write_file",
    arguments: {
      root,
      path: `file${i % 50}.txt`,
      content: sampleText(1024, Math.floor(performance.now()) + i),
    },
  }));
  const start = performance.now();
  for (const call of calls) await client.callTool(call);
  return performance.now() - start;
}

async function removal(session: Session, client: StdioClient): Promise<number> {
  const folder = join(session.dir, "many");
  for (let i = 0; i < FILES; i++) {
    if (i % 100 === 0) Deno.mkdirSync(join(folder, `d${i / 100}`), { recursive: true });
    Deno.writeTextFileSync(join(folder, `d${Math.floor(i / 100)}`, `f${i}.txt`), `file ${i}\n`);
  }
  const start = performance.now();
  await client.callTool({ name: "remove_folder", arguments: { root: "field", path: "many" } });
  return performance.now() - start;
}

interface StoreFigures extends AsyncDisposable {
  store: number;
  page: number;
}

async function measureStore(session: Session): Promise<StoreFigures> {
  const first = await server(session, "sized");
  await writes(first, CHANGES, "sized");
  await first.close();
  const base = join(session.dir, "..", "undo");
  const [name] = [...Deno.readDirSync(base)].filter((entry) => entry.name.startsWith("sized-"));
  const store = sizeOf(join(base, name?.name ?? "")) / MIB;
  const second = await server(session, "long");
  await writes(second, LONG, "long");
  const start = performance.now();
  await second.callTool({ name: "history", arguments: { root: "long", limit: PAGE } });
  const page = performance.now() - start;
  return { store, page, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function sizeOf(folder: string): number {
  return [...Deno.readDirSync(folder)].reduce((sum, { name, isDirectory }) => {
    const path = join(folder, name);
    return sum + (isDirectory ? sizeOf(path) : Deno.statSync(path).size);
  }, 0);
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}
