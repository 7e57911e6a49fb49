import { assertEquals, assertRejects } from "@std/assert";
import { Deadlines } from "../../../src/base/deadlines.ts";
import { withoutWaiting } from "../../../src/transports/http/late_answer.ts";

const LONG = new Deadlines(60_000);

Deno.test.afterAll(() => LONG.close());

function waiting(options: { soon?: Deadlines; keepAliveMs?: number } = {}) {
  const seen = { gone: 0 };
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const onGone = () => void seen.gone++;
  const response = withoutWaiting(promise, { onGone, soon: new Deadlines(1), ...options });
  return { response, resolve, reject, seen };
}

Deno.test("withoutWaiting returns the answer itself when it comes soon", async () => {
  const { response, resolve } = waiting({ soon: LONG });
  const answer = Response.json({ a: 1 }, { status: 404 });
  resolve(answer);
  assertEquals(await response, answer);
  await answer.body?.cancel();
});

Deno.test("withoutWaiting begins a response when the answer does not come soon, and adds it later", async () => {
  const { response, resolve, seen } = waiting();
  const begun = await response;
  assertEquals([begun.status, begun.headers.get("content-type")], [200, "application/json"]);
  resolve(Response.json({ a: 1 }));
  assertEquals([await begun.json(), seen.gone], [{ a: 1 }, 0]);
});

Deno.test("withoutWaiting keeps a response alive with white space that JSON may begin with", async () => {
  const { response, resolve } = waiting({ keepAliveMs: 1 });
  const reader = (await response).body?.getReader();
  for (let i = 0; i < 3; i++) assertEquals((await reader?.read())?.value, new Uint8Array([0x20]));
  resolve(Response.json([1]));
  let text = "";
  for (let read = await reader?.read(); !read?.done; read = await reader?.read()) {
    text += new TextDecoder().decode(read?.value);
  }
  assertEquals(JSON.parse(text), [1]);
});

Deno.test("withoutWaiting reports when the client goes away, and drops the answer", async () => {
  const { response, resolve, seen } = waiting();
  await (await response).body?.cancel();
  assertEquals(seen.gone, 1);
  resolve(Response.json({ a: 1 }));
  await Promise.resolve();
});

Deno.test("withoutWaiting ends a response without a body when there is no answer", async () => {
  const { response, resolve } = waiting();
  const begun = await response;
  resolve(new Response(null, { status: 202 }));
  assertEquals(await begun.text(), "");
});

Deno.test("withoutWaiting passes on a failure, soon or late", async () => {
  const soon = waiting({ soon: LONG });
  soon.reject(new Error("broken"));
  await assertRejects(() => soon.response, Error, "broken");
  const late = waiting();
  const begun = await late.response;
  late.reject(new Error("broken"));
  await assertRejects(() => begun.text(), Error, "broken");
});
