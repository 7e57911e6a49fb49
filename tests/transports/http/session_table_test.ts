import { assert, assertEquals } from "@std/assert";
import { type JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { Stats } from "../../../src/base/stats.ts";
import { SessionTable, type SessionTableOptions } from "../../../src/transports/http/session_table.ts";
import { initializeMessage } from "../../support/http_client.ts";
import { eventually } from "../../support/http_server.ts";

function table(options: Partial<SessionTableOptions> = {}) {
  const sessions = new SessionTable({
    createServer: () => new Server({ name: "toy", version: "1" }, { capabilities: { tools: {} } }),
    stats: new Stats(),
    maxSessions: 10,
    maxCalls: 10,
    idleMs: 60_000,
    latelyMs: 0,
    ...options,
  });
  return { sessions, [Symbol.asyncDispose]: () => sessions.close() };
}

const OPENING = initializeMessage("2025-03-26") as JSONRPCMessage;

async function begin(sessions: SessionTable, message = OPENING): Promise<string | undefined> {
  return (await sessions.begin(message))?.session.sessionId;
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
  Deno.test(`SessionTable.begin agrees on ${agreed} when ${asked} is requested`, async () => {
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
  assertEquals(one.sessions.find(busy?.session.sessionId ?? ""), busy);
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

Deno.test("SessionTable.begin ends no session that was used lately: streams of others do not displace it", async () => {
  await using one = table({ maxSessions: 3, latelyMs: 60_000 });
  const used = await begin(one.sessions);
  const others = [await one.sessions.begin(OPENING), await one.sessions.begin(OPENING)];
  const streams = others.map((entry) => entry?.session.get());
  assertEquals(await one.sessions.begin(OPENING), undefined);
  assert(one.sessions.find(used ?? "") !== undefined);
  for (const stream of streams) await stream?.body?.cancel();
});
