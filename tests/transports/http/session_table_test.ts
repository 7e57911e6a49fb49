import { assert, assertEquals } from "@std/assert";
import { type JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { Stats } from "../../../src/base/stats.ts";
import { SessionTable, type SessionTableOptions } from "../../../src/transports/http/session_table.ts";
import { initializeMessage } from "../../support/http_client.ts";
import { eventually } from "../../support/http_server.ts";

function table(options: Partial<SessionTableOptions> = {}) {
  const servers: Server[] = [];
  const sessions = new SessionTable({
    createServer: () => {
      const server = new Server({ name: "toy", version: "1" }, { capabilities: { tools: {} } });
      servers.push(server);
      return server;
    },
    stats: new Stats(),
    maxSessions: 10,
    maxCalls: 10,
    idleMs: 60_000,
    ...options,
  });
  return { sessions, servers, [Symbol.asyncDispose]: () => sessions.close() };
}

const OPENING = initializeMessage("2025-03-26") as JSONRPCMessage;

async function begin(sessions: SessionTable, message = OPENING): Promise<string | undefined> {
  return (await sessions.begin(message))?.record.id;
}

Deno.test("SessionTable.begin gives every session an id that cannot be guessed", async () => {
  await using one = table();
  const ids = await Promise.all(Array.from({ length: 5 }, () => begin(one.sessions)));
  assertEquals(new Set(ids).size, 5);
  for (const id of ids) {
    assert(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id ?? ""));
  }
});

const REVISIONS: [asked: string, agreed: string][] = [
  ["2024-11-05", "2024-11-05"],
  ["2025-03-26", "2025-03-26"],
  ["2025-06-18", "2025-06-18"],
  ["1999-01-01", "2025-11-25"],
  ["2026-07-28", "2025-11-25"],
];

for (const [asked, agreed] of REVISIONS) {
  Deno.test(`SessionTable.begin agrees on ${agreed} when ${asked} is asked for`, async () => {
    await using one = table();
    const entry = await one.sessions.begin(initializeMessage(asked) as JSONRPCMessage);
    assertEquals(entry?.revision, agreed);
  });
}

Deno.test("SessionTable ends sessions that are idle, and only those", async () => {
  await using one = table({ idleMs: 20 });
  const busy = await one.sessions.begin(OPENING);
  const stream = busy?.session.get();
  await begin(one.sessions);
  assertEquals(await eventually(() => one.sessions.size, (size) => size === 1), 1);
  assertEquals(one.sessions.find(busy?.record.id ?? ""), busy);
  await stream?.body?.cancel();
  assertEquals(await eventually(() => one.sessions.size, (size) => size === 0), 0);
});

Deno.test("SessionTable.begin makes room by ending the session that has been idle longest", async () => {
  await using one = table({ maxSessions: 2 });
  const first = await begin(one.sessions);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await begin(one.sessions);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const third = await begin(one.sessions);
  assertEquals([first, second, third].map((id) => one.sessions.find(id ?? "") !== undefined), [
    false,
    true,
    true,
  ]);
});

Deno.test("SessionTable.begin begins none when all sessions are in use", async () => {
  await using one = table({ maxSessions: 2 });
  const entries = [await one.sessions.begin(OPENING), await one.sessions.begin(OPENING)];
  const streams = entries.map((entry) => entry?.session.get());
  assertEquals(await one.sessions.begin(OPENING), undefined);
  assertEquals(one.sessions.size, 2);
  for (const stream of streams) await stream?.body?.cancel();
});

/** Two tables that share their sessions, as when one server takes over from another. */
async function shared(one: SessionTable, two: SessionTable) {
  const { port1, port2 } = new MessageChannel();
  const links = await Promise.all([one.share(port1), two.share(port2)]);
  await Promise.all(links.map((link) => link.first));
  return { links, [Symbol.dispose]: () => (port1.close(), port2.close()) };
}

Deno.test("SessionTable.share makes the sessions of each side known to the other, with what they began by", async () => {
  await using one = table();
  await using two = table();
  const ids = [await begin(one.sessions), await begin(two.sessions)];
  using _link = await shared(one.sessions, two.sessions);
  for (const id of ids) {
    for (const { sessions } of [one, two]) assertEquals(sessions.find(id ?? "")?.revision, "2025-03-26");
  }
  assertEquals(two.servers.map((server) => server.getClientVersion()?.name).sort(), ["test", undefined]);
});

Deno.test("SessionTable.begin does not return before the other side knows the session too", async () => {
  await using one = table();
  await using two = table();
  using _link = await shared(one.sessions, two.sessions);
  for (const [here, there] of [[one, two], [two, one]] as const) {
    const id = await begin(here.sessions);
    assert(there.sessions.find(id ?? "") !== undefined);
  }
});

Deno.test("SessionTable.share passes sessions on along a chain of servers", async () => {
  await using one = table();
  await using two = table();
  await using three = table();
  const early = await begin(one.sessions);
  using _first = await shared(one.sessions, two.sessions);
  using _second = await shared(two.sessions, three.sessions);
  const late = [await begin(one.sessions), await begin(three.sessions)];
  for (const id of [early, ...late]) {
    for (const { sessions } of [one, two, three]) assert(sessions.find(id ?? "") !== undefined);
  }
});

Deno.test("SessionLink.hush spares the other side from announcing sessions", async () => {
  await using one = table();
  await using two = table();
  using link = await shared(one.sessions, two.sessions);
  link.links[0].hush();
  await eventually(
    async () => one.sessions.find(await begin(two.sessions) ?? ""),
    (found) => found === undefined,
  );
  const before = one.sessions.size;
  await begin(two.sessions);
  assertEquals(one.sessions.size, before);
  const id = await begin(one.sessions);
  assert(two.sessions.find(id ?? "") !== undefined, "the other way it goes on");
});
