import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type ServeOn, serveOnConnection } from "../../../src/transports/http/runtime_http.ts";
import { serveConnections, type Serving } from "../../../src/transports/http/serve_connections.ts";
import { rawExchange } from "../../support/http_client.ts";
import { freePort } from "../../support/http_server.ts";

const LIMITS = { maxConnections: 2, firstRequestMs: 60_000, quietMs: 60_000, latelyMs: 60_000 };

interface Options {
  limits?: Partial<typeof LIMITS>;
  serveOn: ServeOn | undefined;
}

function serve({ limits, serveOn }: Options = { serveOn: serveOnConnection() }) {
  const port = freePort();
  const troubles: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const serving: Serving = serveConnections({
    hostname: "127.0.0.1",
    port,
    limits: { ...LIMITS, ...limits },
    handler: async (request, visit) => {
      visit.welcome();
      if (request.url.endsWith("/wait")) {
        asked.resolve();
        await waiting.promise;
      }
      return new Response("hello");
    },
    onError: () => new Response("failed", { status: 500 }),
    onTrouble: (what) => troubles.push(what),
    serveOn,
  });
  return {
    port,
    troubles,
    serving,
    /** Somebody is waiting for the answer. */
    asked: asked.promise,
    answer: waiting.resolve,
    connect: () => Deno.connect({ hostname: "127.0.0.1", port }),
    [Symbol.asyncDispose]: () => serving.shutdown(),
  };
}

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function exchange(connection: Deno.Conn, request: string): Promise<string> {
  await connection.write(new TextEncoder().encode(request));
  return await received(connection);
}

/** What comes next; empty if the other side has closed. */
async function received(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(1_000);
  const length = await connection.read(buffer).catch(() => null);
  return new TextDecoder().decode(buffer.subarray(0, length ?? 0));
}

Deno.test("serveOnConnection exists in this version of the runtime", () => {
  assertEquals(typeof serveOnConnection(), "function");
});

Deno.test("serveConnections closes a connection whose headers do not arrive in time, and a silent one", async () => {
  await using server = serve({ serveOn: serveOnConnection(), limits: { firstRequestMs: 30 } });
  assertEquals(await rawExchange(server.port, "GET / HTTP/1.1\r\nHost: loc"), "");
  assertEquals(await rawExchange(server.port, ""), "");
  assertEquals(server.troubles, []);
});

Deno.test("serveConnections closes a connection that begins a second request and does not continue it", async () => {
  await using server = serve({ serveOn: serveOnConnection(), limits: { quietMs: 50 } });
  assertStringIncludes(await rawExchange(server.port, GET + "GET / HTTP/1.1\r\nHost: loc"), "hello");
});

Deno.test("serveConnections accepts a client when strangers hold all connections, and keeps the client", async () => {
  await using server = serve();
  const strangers = [await server.connect(), await server.connect()];
  using client = await server.connect();
  assertStringIncludes(await exchange(client, GET), "hello");
  for (let i = 0; i < 10; i++) strangers.push(await server.connect());
  assertStringIncludes(await exchange(client, GET), "hello");
  assertEquals(server.troubles, []);
  for (const stranger of strangers) stranger.close();
});

Deno.test("serveConnections refuses with a plain 503 when all connections are in use", async () => {
  await using server = serve();
  using first = await server.connect();
  using second = await server.connect();
  assertStringIncludes(await exchange(first, GET), "hello");
  assertStringIncludes(await exchange(second, GET), "hello");
  const refused = await rawExchange(server.port, "");
  assertStringIncludes(refused, "HTTP/1.1 503 Service Unavailable\r\n");
  const [head = "", text] = refused.split("\r\n\r\n");
  assertEquals(text, "Too many connections, all in use; try again later");
  assertStringIncludes(head, `content-length: ${text?.length}`);
  assertEquals(server.troubles, ["all 2 connections are in use; a new one was refused"]);
  assertStringIncludes(await exchange(first, GET), "hello");
});

Deno.test("serveConnections.shutdown answers pending requests, and ends the other connections", async () => {
  await using server = serve();
  using quiet = await server.connect();
  using asking = await server.connect();
  assertStringIncludes(await exchange(quiet, GET), "hello");
  await asking.write(new TextEncoder().encode("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await server.asked;
  const down = server.serving.shutdown();
  assertEquals(await received(quiet), "");
  server.answer();
  assertStringIncludes(await received(asking), "hello");
  await down;
});

Deno.test("serveConnections throws when the port is in use", async () => {
  await using server = serve();
  assertThrows(() => Deno.listen({ hostname: "127.0.0.1", port: server.port }), Deno.errors.AddrInUse);
  const options = { hostname: "127.0.0.1", port: server.port, limits: LIMITS };
  const unused = { handler: () => Promise.resolve(new Response()), onError: () => new Response() };
  assertThrows(
    () => serveConnections({ ...options, ...unused, onTrouble: () => {}, serveOn: serveOnConnection() }),
    Deno.errors.AddrInUse,
  );
});

Deno.test("serveConnections serves without a limit where connections cannot be handed to the runtime", async () => {
  await using server = serve({ serveOn: undefined });
  const connections = await Promise.all([1, 2, 3, 4].map(() => server.connect()));
  for (const connection of connections) assertStringIncludes(await exchange(connection, GET), "hello");
  for (const connection of connections) connection.close();
  assert(server.troubles.length === 0);
});
