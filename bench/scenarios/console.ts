// The console over a store with 10,000 changes: how long the first view's answers take, how soon a change made by
// another process is reported, and how much memory the console holds after all pages were requested.

import { join } from "@std/path/join";
import { paddock } from "../peers.ts";
import { processMemory } from "../process_memory.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { StdioClient } from "../stdio_client.ts";
import { ConsoleClient, ConsoleProcess } from "../../tests/support/console.ts";

const CHANGES = 10_000;
const PAGE = 200;
const MIB = 1024 * 1024;

export const consoleScenario: Scenario = {
  name: "console",
  rounds: 5,
  onlyByName: true,
  peer: "nothing",
  rows: [
    { key: "first", label: "the first view's four answers, 10,000 changes", unit: "ms", limit: 1_000 },
    { key: "page", label: "a page of 50 of 10,000 changes", unit: "ms", limit: 100 },
    { key: "filter", label: "the same, filtered by a word that two of them contain", unit: "ms", limit: 200 },
    { key: "told", label: "a change by another process is reported", unit: "ms", limit: 1_000 },
    { key: "memory", label: "memory after all pages", unit: "MiB", limit: 400 },
  ],
  note:
    "the first view is requested right after the link was opened: session, sources, changes and facets at once",
  async round(session) {
    if (session.server.side === "peer") return {};
    const { agent, console, client } = await opened(session);
    await console.enter();
    const browser = await ConsoleClient.open(await console.line());
    const first = await timed(() =>
      Promise.all([
        browser.get("Session", "session"),
        browser.get("Sources", "sources"),
        browser.get("ChangePage", "changes", { limit: 50 }),
        browser.get("Facets", "facets"),
      ])
    );
    const page = await timed(() => client.get("ChangePage", "changes", { limit: 50 }));
    const filter = await timed(() => client.get("ChangePage", "changes", { text: "file4711." }));
    const told = await timeToTell(client, agent);
    for (let cursor: string | null = ""; cursor !== null;) {
      const next: string | null =
        (await client.get("ChangePage", "changes", { limit: PAGE, ...(cursor === "" ? {} : { cursor }) }))
          .next;
      cursor = next;
    }
    const memory = processMemory(console.pid);
    return { first, page, filter, told, ...(memory === undefined ? {} : { memory: memory.rss / MIB }) };
  },
};

interface Opened extends AsyncDisposable {
  agent: StdioClient;
  console: ConsoleProcess;
  client: ConsoleClient;
}

function opened(session: Session): Promise<Opened> {
  return session.kept("console", async () => {
    const stores = `--undo-dir=${join(session.dir, "..", "undo")}`;
    const { command, args } = paddock().launch(session.dir);
    const agent = session.spawn({ command, args: [...args, stores] });
    await agent.initialize();
    for (let i = 0; i < CHANGES; i++) await write(agent, `file${i}.txt`);
    const console = new ConsoleProcess({ args: [session.dir, stores] });
    const client = await console.client();
    return { agent, console, client, [Symbol.asyncDispose]: () => console[Symbol.asyncDispose]() };
  });
}

async function write(agent: StdioClient, path: string): Promise<void> {
  await agent.callTool({
    name: "write_file",
    arguments: { root: "field", path, content: `${path} at ${performance.now()}\n` },
  });
}

async function timeToTell(client: ConsoleClient, agent: StdioClient): Promise<number> {
  await using events = await client.events();
  await events.next("hello");
  return await timed(async () => {
    await write(agent, "told.txt");
    await events.next("change");
  });
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
