import { assert, assertEquals } from "@std/assert";
import { readBody, readJson } from "../../../src/transports/http/body.ts";

const LIMITS = { maxBytes: 16, timeoutMs: 10_000 };

/** A request whose body arrives in these pieces; the last of them may never arrive. */
function request(pieces: (string | Uint8Array)[], options: { ends?: boolean; headers?: HeadersInit } = {}) {
  const state = { cancelled: false };
  const rest = pieces.map((piece) => typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (options.ends ?? true) controller.close();
      else return new Promise(() => {});
    },
    cancel: () => void (state.cancelled = true),
  });
  const headers = { "content-type": "application/json", ...options.headers };
  return { state, request: new Request("http://localhost/mcp", { method: "POST", body, headers }) };
}

Deno.test("readBody puts the pieces of a body together", async () => {
  const text = '{"a":"ü€😀"}';
  const bytes = new TextEncoder().encode(text);
  const single = Array.from(bytes, (_, i) => bytes.slice(i, i + 1));
  assertEquals(await readBody(request(single).request, { ...LIMITS, maxBytes: bytes.length }), {
    kind: "text",
    text,
  });
});

Deno.test("readBody returns an empty text if there is no body", async () => {
  const bare = new Request("http://localhost/mcp", { method: "POST" });
  assertEquals(await readBody(bare, LIMITS), { kind: "text", text: "" });
});

const SIZES: [bytes: number, kind: string][] = [[15, "text"], [16, "text"], [17, "too-large"]];

for (const [bytes, kind] of SIZES) {
  Deno.test(`readBody finds ${bytes} of 16 bytes ${kind}, in one piece and in many`, async () => {
    const one = "x".repeat(bytes);
    assertEquals((await readBody(request([one]).request, LIMITS)).kind, kind);
    assertEquals((await readBody(request([...one]).request, LIMITS)).kind, kind);
  });
}

Deno.test("readBody believes a larger content-length and reads nothing", async () => {
  const { request: large } = request([], { ends: false, headers: { "content-length": "17" } });
  assertEquals((await readBody(large, LIMITS)).kind, "too-large");
});

Deno.test("readBody does not trust a smaller content-length", async () => {
  const { request: large } = request(["x".repeat(20)], { headers: { "content-length": "5" } });
  assertEquals((await readBody(large, LIMITS)).kind, "too-large");
});

Deno.test("readBody stops reading a body that is too large", async () => {
  const { request: endless, state } = request(Array.from({ length: 1_000 }, () => "xxxxxxxx"));
  assertEquals((await readBody(endless, LIMITS)).kind, "too-large");
  assert(state.cancelled);
});

Deno.test("readBody gives up on a body that does not end in time", async () => {
  const { request: slow, state } = request(["{"], { ends: false });
  assertEquals((await readBody(slow, { ...LIMITS, timeoutMs: 20 })).kind, "too-slow");
  assert(state.cancelled);
});

Deno.test("readBody reports a body that is not UTF-8 or breaks off as garbled", async () => {
  assertEquals(
    (await readBody(request([new Uint8Array([0x22, 0xff, 0x22])]).request, LIMITS)).kind,
    "garbled",
  );
  assertEquals((await readBody(request([new Uint8Array([0xe2, 0x82])]).request, LIMITS)).kind, "garbled");
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const broken = new Request("http://localhost/mcp", { method: "POST", body });
  assertEquals((await readBody(broken, LIMITS)).kind, "garbled");
});

const TYPES: [type: string | undefined, status: number][] = [
  ["application/json", 200],
  ["Application/JSON", 200],
  ["application/json; charset=utf-8", 200],
  ["application/json;charset=utf-8", 200],
  ["application/json ; charset=utf-8", 200],
  ["application/jsonp", 415],
  ["application/json-rpc", 415],
  ["application/vnd.api+json", 415],
  ["text/plain", 415],
  ["text/plain; a=application/json", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=application/json", 415],
  ["", 415],
  [undefined, 415],
];

for (const [type, status] of TYPES) {
  Deno.test(`readJson ${status === 200 ? "takes" : "refuses"} the content type ${JSON.stringify(type)}`, async () => {
    const { request: typed } = request(["{}"]);
    if (type === undefined) typed.headers.delete("content-type");
    else typed.headers.set("content-type", type);
    const read = await readJson(typed, LIMITS);
    assertEquals(read instanceof Response ? read.status : 200, status);
  });
}

const ANSWERS: [name: string, pieces: (string | Uint8Array)[], status: number, code: number][] = [
  ["bad JSON", ["{"], 400, -32700],
  ["an empty body", [], 400, -32700],
  ["bytes that are not UTF-8", [new Uint8Array([0xff])], 400, -32700],
  ["too many bytes", ["x".repeat(17)], 413, -32600],
];

for (const [name, pieces, status, code] of ANSWERS) {
  Deno.test(`readJson answers ${status} and ${code} to ${name}`, async () => {
    const read = await readJson(request(pieces).request, LIMITS);
    assert(read instanceof Response);
    const { error, id } = await read.json();
    assertEquals([read.status, error.code, id], [status, code, null]);
  });
}

Deno.test("readJson answers 408 to a slow body and closes the connection", async () => {
  const read = await readJson(request(["{"], { ends: false }).request, {
    ...LIMITS,
    timeoutMs: 20,
  });
  assert(read instanceof Response);
  assertEquals([read.status, read.headers.get("connection")], [408, "close"]);
  await read.body?.cancel();
});

Deno.test("readJson answers another type with the given status", async () => {
  const { request: plain } = request(["{}"], { headers: { "content-type": "text/plain" } });
  const answer = await readJson(plain, { ...LIMITS, wrongType: 400 });
  assert(answer instanceof Response);
  if (!(answer instanceof Response)) return;
  assertEquals(answer.status, 400);
  assertEquals((await answer.json()).error.message, "Bad Request: Content-Type must be application/json");
});
