import { assertEquals } from "@std/assert";
import { ByteBudget } from "../../../src/base/byte_budget.ts";
import { Loads } from "../../../src/transports/http/loads.ts";

function load(budget: ByteBudget) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const loads = new Loads(budget);
  const request = new Request("http://localhost/mcp", { method: "POST" });
  loads.begin(request, { completed: promise, welcome() {}, end() {} });
  const sent = async () => {
    resolve();
    await promise;
  };
  return { loads, request, sent };
}

Deno.test("Loads counts a body and an answer until the answer has been sent", async () => {
  const budget = new ByteBudget(1_000_000);
  const { loads, request, sent } = load(budget);
  assertEquals(loads.room(request, 300_000, new AbortController().signal), undefined);
  const answer = Response.json("x".repeat(99_998), { status: 201, headers: { "mcp-session-id": "a" } });
  const weighed = await loads.weigh(request, answer);
  assertEquals(budget.used, 500_000);
  assertEquals([weighed.status, weighed.headers.get("mcp-session-id")], [201, "a"]);
  assertEquals(weighed.headers.get("content-type"), "application/json");
  assertEquals((await weighed.text()).length, 100_000);
  await sent();
  assertEquals(budget.used, 0);
});

Deno.test("Loads leaves streams as they are, and does not count small answers", async () => {
  const budget = new ByteBudget(1_000_000);
  const { loads, request, sent } = load(budget);
  const stream = new Response("data: 1\n\n", { headers: { "content-type": "text/event-stream" } });
  assertEquals(await loads.weigh(request, stream), stream);
  const none = new Response(null, { status: 202 });
  assertEquals(await loads.weigh(request, none), none);
  assertEquals(await (await loads.weigh(request, Response.json({ a: 1 }))).json(), { a: 1 });
  assertEquals(budget.used, 0);
  await sent();
});
