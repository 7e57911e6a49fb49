import { assertEquals } from "@std/assert";
import { type JSONRPCMessage, Server, type Transport } from "@modelcontextprotocol/server";
import { WireErrors } from "../../src/server/wire_errors.ts";

/** The error with which a server with these WireErrors answers a message. */
async function errorOf(message: JSONRPCMessage, thrown?: { code: number; message: string; data?: object }) {
  const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } });
  const errors = new WireErrors(server);
  server.fallbackRequestHandler = () => {
    throw errors.of({ ...thrown, code: thrown?.code ?? 0, message: thrown?.message ?? "" } as never);
  };
  const answer = Promise.withResolvers<JSONRPCMessage>();
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (sent) => Promise.resolve(answer.resolve(sent)),
  };
  await server.connect(transport);
  transport.onmessage?.(message);
  const sent = await answer.promise;
  await server.close();
  return "error" in sent ? sent.error : undefined;
}

Deno.test("WireErrors sends -32002 as -32002, with its data", async () => {
  const thrown = { code: -32002, message: "Permission denied: x", data: { path: "x" } };
  assertEquals(await errorOf({ jsonrpc: "2.0", id: 1, method: "custom" }, thrown), thrown);
});

Deno.test("WireErrors describes bad parameters of initialize in words, with the right code", async () => {
  const error = await errorOf({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: 5 },
  });
  assertEquals(error?.code, -32602);
  assertEquals(error?.message.startsWith("Invalid params: params.protocolVersion: "), true);
});

Deno.test("WireErrors leaves other messages alone, even ones that look like a list", async () => {
  for (const message of ["[1, 2]", "[", "plain"]) {
    const thrown = { code: -32603, message };
    assertEquals((await errorOf({ jsonrpc: "2.0", id: 1, method: "custom" }, thrown))?.message, message);
  }
});
