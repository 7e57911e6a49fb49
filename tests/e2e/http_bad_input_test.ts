/** What no good client sends, except by mistake: each is answered, and nothing is left of it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BOTH, rawExchange, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { onLinux } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";
import { type BadInput, HALF_OPEN, INPUTS, RAW } from "./http_bad_inputs.ts";

const TOKEN = "a-token-of-more-than-16";
let folder: TempFolder;
let server: HttpServer;
let client: SessionClient;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  server = await HttpServer.start(["--log-level=warn", folder.path], { env: { PADDOCK_TOKEN: TOKEN } });
  client = await SessionClient.begin(server.url, "2025-11-25", {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function send(
  { method = "POST", path = "/mcp", headers, session = false, body }: BadInput,
): Promise<[number, string]> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: BOTH,
      "content-type": "application/json",
      ...(session ? { "mcp-session-id": client.sessionId } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body() }),
  });
  return [response.status, await response.text()];
}

for (const input of INPUTS) {
  Deno.test(`${input.name} is answered with ${input.status}`, async () => {
    const [status, answer] = await send(input);
    assertEquals([status, answer.includes(input.says)], [input.status, true], answer);
    const { jsonrpc, error } = JSON.parse(answer);
    assertEquals([jsonrpc, typeof error.code, typeof error.message], ["2.0", "number", "string"]);
  });
}

for (const [name, request, says] of RAW) {
  Deno.test(`${name} is answered with ${says.trim()}`, async () => {
    assertStringIncludes(await rawExchange(server.port, request), says);
  });
}

/** Opens a stream and drops the connection without notice. */
async function halfOpen(head: string): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const session = `Mcp-Session-Id: ${client.sessionId}\r\n`;
  const auth = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: ${BOTH}\r\n`;
  await connection.write(new TextEncoder().encode(head.replace("\r\n", `\r\n${auth}${session}`)));
  connection.close();
}

Deno.test({
  // Memory is read from /proc.
  ...onLinux("a thousand bad requests leave the server as it was: no sessions, no calls, no memory"),
  fn: async () => {
    const authorization = { authorization: `Bearer ${TOKEN}` };
    const round = async () => {
      for (const input of INPUTS) if (!input.name.startsWith("11 MB")) await send(input);
      for (const [, request] of RAW) await rawExchange(server.port, request);
      for (const head of HALF_OPEN) await halfOpen(head);
    };
    const large = () => Promise.all(INPUTS.filter(({ name }) => name.startsWith("11 MB")).map(send));
    const perRound = 3 * (INPUTS.length - 2 + RAW.length + HALF_OPEN.length) + 2;
    const thousand = async () => {
      for (let sent = 0; sent < 1_000; sent += perRound) {
        await Promise.all([round(), round(), round(), large()]);
      }
    };
    const sessions = await server.metric("sessions", authorization);
    // The heap grows for a while before its size settles; a leak would grow for ever.
    const grown: number[] = [];
    for (let before = server.memory(); grown.length < 4 && (grown.length < 2 || (grown.at(-1) ?? 0) > 40);) {
      await thousand();
      grown.push((server.memory() - before) / 1024 ** 2);
      before = server.memory();
    }
    assert((grown.at(-1) ?? 0) < 40, `grown by ${grown.map((mb) => mb.toFixed(1)).join(", ")} MB`);
    assertEquals(await server.metric("calls_in_flight", authorization), 0);
    const left = await eventually(() => server.metric("sessions", authorization), (now) => now <= sessions);
    assert(left <= sessions, `${left} sessions, ${sessions} before`);
    assertEquals((await client.request("ping")).result, {});
    assertEquals(server.log.includes("ERROR"), false);
  },
});
