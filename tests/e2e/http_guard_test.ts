/** Who may talk to the server: tokens, web pages, addresses, ports. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { initializeMessage, ModernClient, post, rawExchange, SessionClient } from "../support/http_client.ts";
import { eventually, freePort, HttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { runToEnd, serverCommand } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const TOKEN = "a-token-of-more-than-16";
const APP = "https://app.example.com";

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.body?.cancel();
  return response.status;
}

Deno.test("a token from a file is required on every page but /health, and is never logged", async () => {
  using folder = tempFolder();
  using secrets = tempFolder();
  const file = secrets.write("token", `${TOKEN}\n`);
  await using server = await HttpServer.start([
    "--log-level=debug",
    `--auth-token-file=${file}`,
    folder.path,
  ]);
  const { url } = server;
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${TOKEN}` }]) {
    const refused = await post(`${url}/mcp`, initializeMessage(), { headers });
    assertEquals([refused.status, refused.headers.get("www-authenticate")], [401, 'Bearer realm="paddock"']);
    assertEquals(refused.headers.has("mcp-session-id"), false);
    const { error, id } = await refused.json();
    assertEquals([error.code, id], [-32000, null]);
    for (const path of ["/mcp", "/metrics", "/sse", "/mcp/stream", "/messages", "/nothing"]) {
      assertEquals([path, await statusOf(fetch(url + path, { headers }))], [path, 401]);
    }
  }
  const headers = { authorization: `Bearer ${TOKEN}` };
  const client = await SessionClient.begin(url, "2025-06-18", { headers });
  assertEquals((await client.request("ping")).result, {});
  assertEquals((await new ModernClient(url, { headers }).call("list_roots")).isError, false);
  assertEquals(
    await statusOf(
      client.send({ jsonrpc: "2.0", id: 1, method: "ping" }, { headers: { authorization: "" } }),
    ),
    401,
  );
  assertEquals(await statusOf(fetch(`${url}/health`)), 200);
  assertStringIncludes(server.log, "Bearer YOUR_TOKEN");
  assertEquals([server.log.includes(TOKEN), server.log.includes("no_token")], [false, false]);
});

Deno.test("a token from the environment is required, and an allowed web page can read the answers", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start([`--cors-origin=${APP}`, folder.path], {
    env: { PADDOCK_TOKEN: TOKEN },
  });
  const url = `${server.url}/mcp`;
  const refused = await post(url, initializeMessage(), { headers: { origin: APP } });
  assertEquals([refused.status, refused.headers.get("access-control-allow-origin")], [401, APP]);
  await refused.body?.cancel();
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin: APP,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type, mcp-session-id",
    },
  });
  assertEquals([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, APP]);
  assertStringIncludes(preflight.headers.get("access-control-allow-methods") ?? "", "POST");
  for (
    const header of ["authorization", "content-type", "mcp-session-id", "mcp-protocol-version", "mcp-method"]
  ) {
    assertStringIncludes(preflight.headers.get("access-control-allow-headers") ?? "", header);
  }
  assertEquals([preflight.headers.get("vary"), await preflight.text()], ["origin", ""]);
  const headers = { origin: APP, authorization: `Bearer ${TOKEN}` };
  const answered = await post(url, initializeMessage(), { headers });
  assertEquals(answered.headers.get("access-control-allow-origin"), APP);
  assertEquals(answered.headers.get("access-control-expose-headers"), "mcp-session-id");
  assertEquals(answered.headers.has("mcp-session-id"), true);
  await answered.body?.cancel();
  for (const origin of ["https://evil.com", "http://localhost:3000", "null"]) {
    const other = await fetch(url, { method: "OPTIONS", headers: { origin } });
    assertEquals([other.status, other.headers.has("access-control-allow-origin")], [403, false]);
    await other.body?.cancel();
  }
});

Deno.test("without --cors-origin no web page gets an answer that it may read", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start([folder.path]);
  const url = `${server.url}/mcp`;
  const cases: [origin: string, status: number][] = [
    [APP, 403],
    ["null", 403],
    ["http://localhost.evil.com", 403],
    ["http://localhost:3000", 200],
  ];
  for (const [origin, status] of cases) {
    const response = await post(url, initializeMessage(), { headers: { origin } });
    assertEquals([origin, response.status], [origin, status]);
    assertEquals([...response.headers.keys()].filter((name) => name.startsWith("access-control")), []);
    await response.body?.cancel();
    assertEquals(await statusOf(fetch(url, { method: "OPTIONS", headers: { origin } })), 403);
  }
  const foreign =
    `POST /mcp HTTP/1.1\r\nHost: rebound.evil.com:${server.port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  assertStringIncludes(await rawExchange(server.port, foreign), "HTTP/1.1 403 Forbidden");
});

Deno.test("a server on an address other than this machine's own warns if it has no token", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start([
    "--host=0.0.0.0",
    "--allowed-hosts=files.example.com",
    folder.path,
  ]);
  await server.logged("no_token");
  const bound = `address=http://0.0.0.0:${server.port} `;
  for (const line of ["server_starting", "WARN  no_token"]) {
    await server.logged(line);
    assertStringIncludes(server.log.split("\n").find((each) => each.includes(line)) ?? "", bound);
  }
  assertStringIncludes(server.log, `paddock is at http://127.0.0.1:${server.port}/mcp, and at every other`);
  const request = (host: string) =>
    rawExchange(server.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  assertStringIncludes(await request("files.example.com:8443"), "HTTP/1.1 200 OK");
  assertStringIncludes(await request("localhost"), "HTTP/1.1 200 OK");
  assertStringIncludes(await request("0.0.0.0"), "HTTP/1.1 403 Forbidden");
});

Deno.test({
  ...needs("IPv6")("a server listens on IPv6, even inside the fence, and is known by that address"),
  fn: async () => {
    using folder = tempFolder();
    const port = freePort("::1");
    await using server = await HttpServer.start(["--host=::1", folder.path], { port, host: "[::1]" });
    assertEquals((await (await SessionClient.begin(server.url)).request("ping")).result, {});
    assertEquals(server.log.includes("no_token"), false);
    assertStringIncludes(server.log, `http://[::1]:${port}/mcp`);
  },
});

Deno.test({
  ...needs("IPv6")("a server on every IPv6 address says so, in its start line and in the warning"),
  fn: async () => {
    using folder = tempFolder();
    const port = freePort("::");
    await using server = await HttpServer.start(["--host=::", folder.path], { port, host: "[::1]" });
    for (const line of ["server_starting", "WARN  no_token"]) {
      await server.logged(line);
      const told = server.log.split("\n").find((each) => each.includes(line)) ?? "";
      assertStringIncludes(told, `address=http://[::]:${port} `);
    }
  },
});

Deno.test("a port in use is reported, and the server that uses it is not disturbed", async () => {
  using folder = tempFolder();
  const config = folder.write(
    "paddock.yaml",
    `roots:\n  - name: r\n    path: ${folder.path}\n    allowed_tools: ["*"]\n`,
  );
  for (const args of [[folder.path], [`--config=${config}`]]) {
    await using server = await HttpServer.start(args);
    const again = ["--transport=http", `--port=${server.port}`];
    for (const other of [[folder.path], [`--config=${config}`]]) {
      const { code, stderr } = await runToEnd([...again, ...other]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, `port ${server.port} on 127.0.0.1 is already in use`);
      assertStringIncludes(stderr, "choose another --port");
    }
    const client = await SessionClient.begin(server.url);
    for (let i = 0; i < 20; i++) assert((await client.request("ping")).result !== undefined);
  }
});

Deno.test("of two servers that start on one port at once, exactly one keeps running", async () => {
  using folder = tempFolder();
  const config = folder.write(
    "paddock.yaml",
    `roots:\n  - name: r\n    path: ${folder.path}\n    allowed_tools: ["*"]\n`,
  );
  const port = freePort();
  const [command = "", ...args] = serverCommand(["--transport=http", `--port=${port}`, `--config=${config}`]);
  const options = { args, stdin: "null", stdout: "null", stderr: "null" } as const;
  const children = [1, 2].map(() => new Deno.Command(command, options).spawn());
  const timer = setTimeout(() => children.forEach((child) => child.kill("SIGKILL")), 10_000);
  const first = await Promise.race(children.map(async (child) => ({ child, ...await child.status })));
  clearTimeout(timer);
  assertEquals(first.code, 1);
  const health = () => fetch(`http://127.0.0.1:${port}/health`).then((response) => response.text(), () => "");
  assertEquals(await eventually(health, (text) => text === "ok"), "ok");
  for (const child of children) {
    if (child !== first.child) child.kill("SIGKILL");
    await child.status;
  }
});
