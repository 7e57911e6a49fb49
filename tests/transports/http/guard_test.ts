import { assertEquals, assertStringIncludes } from "@std/assert";
import type { HttpConfig } from "../../../src/base/config.ts";
import { Guard } from "../../../src/transports/http/guard.ts";

const TOKEN = "0123456789abcdef";
const APP = "https://app.example.com";

function guard(changes: Partial<HttpConfig> = {}): Guard {
  return new Guard({
    kind: "http",
    host: "127.0.0.1",
    port: 8091,
    allowedHosts: [],
    corsOrigins: [],
    token: undefined,
    ...changes,
  });
}

function request(headers: Record<string, string>, method = "POST"): Request {
  return new Request("http://localhost:8091/mcp", { method, headers });
}

async function statusOf(checking: Guard, headers: Record<string, string>): Promise<number> {
  const response = await checking.check(request(headers));
  await response?.body?.cancel();
  return response?.status ?? 200;
}

const HOSTS: [host: string, passes: boolean, config?: Partial<HttpConfig>][] = [
  ["localhost", true],
  ["localhost:8091", true],
  ["LOCALHOST:8091", true],
  ["localhost:1", true],
  ["127.0.0.1", true],
  ["127.0.0.1:8091", true],
  ["[::1]", true],
  ["[::1]:8091", true],
  ["evil.com", false],
  ["evil.com:8091", false],
  ["localhost.evil.com", false],
  ["evil.localhost", false],
  ["evil.com#localhost", false],
  ["localhost.", false],
  ["127.0.0.1.evil.com", false],
  ["127.0.0.2", false],
  ["127.1", false],
  ["2130706433", false],
  ["0x7f.0.0.1", false],
  ["0.0.0.0", false],
  ["::1", false],
  ["[::1", false],
  ["[::1]evil.com", false],
  ["[::ffff:127.0.0.1]", false],
  ["evil.com@localhost", false],
  ["localhost@evil.com", false],
  ["localhost:8091@evil.com", false],
  ["localhost/evil.com", false],
  ["localhost\\evil.com", false],
  ["localhost evil.com", false],
  ["localhost, evil.com", false],
  ["localhost:", false],
  ["localhost:80a", false],
  ["localhost:123456", false],
  ["", false],
  ["192.168.1.5:8091", true, { host: "192.168.1.5" }],
  ["192.168.1.6:8091", false, { host: "192.168.1.5" }],
  ["localhost", true, { host: "192.168.1.5" }],
  ["Box.LAN:8091", true, { host: "box.lan" }],
  ["box.lan:8091", true, { host: "Box.LAN" }],
  ["[2001:db8::1]:8091", true, { host: "2001:db8::1" }],
  ["[2001:DB8::1]:8091", true, { host: "2001:db8::1" }],
  ["[2001:db8::1]:8091", true, { host: "2001:DB8:0:0::1" }],
  ["[2001:db8::2]:8091", false, { host: "2001:db8::1" }],
  ["0.0.0.0:8091", false, { host: "0.0.0.0" }],
  ["[::]:8091", false, { host: "::" }],
  ["[::]:8091", false, { host: "0:0:0:0:0:0:0:0" }],
  ["192.168.1.5", false, { host: "0.0.0.0" }],
  ["files.example.com:443", true, { host: "0.0.0.0", allowedHosts: ["files.example.com"] }],
  ["FILES.example.com", true, { host: "0.0.0.0", allowedHosts: ["files.example.com"] }],
  ["a.files.example.com", false, { host: "0.0.0.0", allowedHosts: ["files.example.com"] }],
  ["[2001:db8::9]:80", true, { host: "::", allowedHosts: ["[2001:db8::9]"] }],
];

for (const [host, passes, config] of HOSTS) {
  const where = config === undefined ? "" : ` on ${JSON.stringify(config)}`;
  Deno.test(`Guard.check ${passes ? "allows" : "refuses"} the Host ${JSON.stringify(host)}${where}`, async () => {
    assertEquals(await statusOf(guard(config), { host }), passes ? 200 : 403);
  });
}

Deno.test("Guard.check refuses a request without a Host", async () => {
  assertEquals(await statusOf(guard(), {}), 403);
});

const ORIGINS: [origin: string, passes: boolean, config?: Partial<HttpConfig>][] = [
  ["http://localhost", true],
  ["http://localhost:3000", true],
  ["https://localhost:8091", true],
  ["http://127.0.0.1:8091", true],
  ["http://[::1]:8091", true],
  ["HTTP://LOCALHOST:8091", true],
  ["null", false],
  ["", false],
  ["http://evil.com", false],
  ["http://localhost.evil.com", false],
  ["http://evil.com:8091", false],
  ["http://localhost@evil.com", false],
  ["http://evil.com@localhost", false],
  ["http://localhost/", false],
  ["http://localhost/evil.com", false],
  ["http://localhost:8091, http://evil.com", false],
  ["localhost", false],
  ["//localhost", false],
  ["file://", false],
  ["ftp://localhost", false],
  ["chrome-extension://localhost", false],
  ["javascript:http://localhost", false],
  [APP, false],
  [APP, true, { corsOrigins: [APP] }],
  ["http://app.example.com", false, { corsOrigins: [APP] }],
  [`${APP}:444`, false, { corsOrigins: [APP] }],
  [`${APP}.evil.com`, false, { corsOrigins: [APP] }],
  ["https://files.example.com", true, { allowedHosts: ["files.example.com"] }],
];

for (const [origin, passes, config] of ORIGINS) {
  const where = config === undefined ? "" : ` with ${JSON.stringify(config)}`;
  Deno.test(`Guard.check ${passes ? "allows" : "refuses"} the Origin ${JSON.stringify(origin)}${where}`, async () => {
    assertEquals(await statusOf(guard(config), { host: "localhost", origin }), passes ? 200 : 403);
  });
}

const TOKENS: [authorization: string | undefined, passes: boolean][] = [
  [`Bearer ${TOKEN}`, true],
  [`bearer ${TOKEN}`, true],
  [`Bearer  ${TOKEN}`, true],
  [undefined, false],
  ["", false],
  ["Bearer", false],
  ["Bearer ", false],
  [TOKEN, false],
  [`Basic ${TOKEN}`, false],
  [`Bearer ${TOKEN}x`, false],
  [`Bearer ${TOKEN.slice(0, -1)}`, false],
  [`Bearer ${TOKEN.toUpperCase()}`, false],
  [`Bearer ${TOKEN} ${TOKEN}`, false],
  [`Bearer ${TOKEN}, Bearer wrong`, false],
  [`Bearer ${"x".repeat(100_000)}`, false],
];

for (const [authorization, passes] of TOKENS) {
  const shown = JSON.stringify(authorization)?.slice(0, 50);
  Deno.test(`Guard.check ${passes ? "allows" : "refuses"} the Authorization ${shown}`, async () => {
    const headers = { host: "localhost", ...(authorization === undefined ? {} : { authorization }) };
    assertEquals(await statusOf(guard({ token: TOKEN }), headers), passes ? 200 : 401);
  });
}

Deno.test("Guard.check requires a bearer token and does not reveal it", async () => {
  const response = await guard({ token: TOKEN }).check(
    request({ host: "localhost", authorization: "Bearer x" }),
  );
  assertEquals(response?.headers.get("www-authenticate"), 'Bearer realm="paddock"');
  const text = await response?.text() ?? "";
  assertStringIncludes(text, "Unauthorized");
  assertEquals(text.includes(TOKEN), false);
});

Deno.test("Guard.check compares a token of any length by digests of one length", async () => {
  const digested: number[] = [];
  const { digest } = crypto.subtle;
  crypto.subtle.digest = async (algorithm, data) => {
    const result = await digest.call(crypto.subtle, algorithm, data);
    digested.push(result.byteLength);
    return result;
  };
  try {
    const checking = guard({ token: TOKEN });
    for (const given of ["x", TOKEN, "x".repeat(5_000)]) {
      await statusOf(checking, { host: "localhost", authorization: `Bearer ${given}` });
    }
  } finally {
    crypto.subtle.digest = digest;
  }
  assertEquals(digested, [32, 32, 32, 32]);
});

const PREFLIGHTS: [origin: string | undefined, status: number | undefined][] = [
  [APP, 204],
  ["https://evil.com", 403],
  ["http://localhost:3000", 403],
  ["null", 403],
  [undefined, 403],
];

for (const [origin, status] of PREFLIGHTS) {
  Deno.test(`Guard.preflight answers ${status} to the Origin ${origin}`, async () => {
    const headers = { host: "localhost", ...(origin === undefined ? {} : { origin }) };
    const response = guard({ corsOrigins: [APP] }).preflight(request(headers, "OPTIONS"));
    await response?.body?.cancel();
    assertEquals(response?.status, status);
  });
}

Deno.test("Guard.preflight leaves everything but OPTIONS to check", () => {
  assertEquals(guard({ corsOrigins: [APP] }).preflight(request({ origin: APP }, "GET")), undefined);
});

Deno.test("Guard.withCors lets only an allowed page read the answer", () => {
  const answered = (origin?: string) =>
    guard({ corsOrigins: [APP] })
      .withCors(request(origin === undefined ? {} : { origin }), new Response("{}")).headers;
  assertEquals(answered(APP).get("access-control-allow-origin"), APP);
  assertEquals(answered(APP).get("access-control-expose-headers"), "mcp-session-id");
  assertEquals(answered(APP).get("vary"), "origin");
  for (const origin of ["https://evil.com", "http://localhost:3000", undefined]) {
    assertEquals(answered(origin).has("access-control-allow-origin"), false);
  }
});
