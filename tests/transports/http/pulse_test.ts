import { assertEquals } from "@std/assert";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Stats } from "../../../src/base/stats.ts";
import { Asked } from "../../../src/transports/http/asked.ts";
import { Pulse } from "../../../src/transports/http/pulse.ts";
import { HttpSession } from "../../../src/transports/http/session.ts";
import { SseSession } from "../../../src/transports/http/sse_session.ts";
import { eventsIn } from "../../support/http_client.ts";

const ping = (n: number) => ({ jsonrpc: "2.0", id: `paddock-ping-${n}`, method: "ping" });
const PONG: JSONRPCMessage = { jsonrpc: "2.0", id: "paddock-ping-1", result: {} };
const OPTIONS = { maxCalls: 10, stats: new Stats() };

Deno.test("Pulse.check pings a quiet client once, and gives up at the second check", () => {
  const pulse = new Pulse();
  const asked: unknown[] = [];
  const check = (quietMs: number) => pulse.check(quietMs, (ping) => asked.push(ping));
  assertEquals([check(60_000), asked.length], [true, 0]);
  assertEquals([check(0), asked], [true, [ping(1)]]);
  assertEquals(check(0), false);
  pulse.heard();
  assertEquals([check(0), asked.length], [true, 2]);
  assertEquals(asked, [ping(1), ping(2)]); // each with its own id
});

Deno.test("HttpSession.checkStream ends a standing stream that nobody reads, and keeps the session", async () => {
  const seen: unknown[] = [];
  const session = new HttpSession("1", OPTIONS);
  session.onmessage = (message) => seen.push(message);
  const standing = session.get();
  const asked = () => session.post(new Asked(new Headers()), [PONG], false);
  session.checkStream(0);
  assertEquals((await asked()).status, 202); // it is open
  session.checkStream(0);
  session.checkStream(0);
  assertEquals(eventsIn(await standing.text()), [ping(1), ping(2)]);
  assertEquals(seen, []); // the answer is for nobody else
  await session.get().body?.cancel(); // another can be opened
});

Deno.test("SseSession.checkStream ends a session whose stream nobody reads", async () => {
  const session = new SseSession(OPTIONS);
  const stream = session.open("/messages");
  session.checkStream(0);
  assertEquals(session.take(PONG).status, 202);
  session.checkStream(0);
  session.checkStream(0);
  assertEquals((await stream.text()).match(/"method":"ping"/g)?.length, 2);
  assertEquals(session.take(PONG).status, 404);
});
