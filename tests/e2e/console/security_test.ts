import { assert, assertEquals, assertMatch } from "@std/assert";
import { ConsoleClient, ConsoleProcess } from "../../support/console.ts";
import { rawExchange } from "../../support/http_client.ts";
import { runToEnd } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

const SAFE: [header: string, pattern: RegExp][] = [
  ["content-security-policy", /^default-src 'none'; (script-src 'self'|sandbox)/],
  ["x-content-type-options", /^nosniff$/],
  ["referrer-policy", /^no-referrer$/],
  ["cache-control", /^no-store$/],
  ["x-frame-options", /^DENY$/],
];

function assertSafe(response: Response, what: string): void {
  for (const [header, pattern] of SAFE) {
    assertMatch(response.headers.get(header) ?? "", pattern, `${what}: ${header}`);
  }
  const policy = response.headers.get("content-security-policy") ?? "";
  assert(!/unsafe|data:|\*/.test(policy), policy);
}

Deno.test("the console lets in only those who have its link, once, and answers nothing unsafe", async (t) => {
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/site`);
  await using console = new ConsoleProcess({ args: [`${base.path}/site`, `--undo-dir=${base.path}/state`] });
  const address = await console.line();
  assertMatch(address, new RegExp(`^http://127\\.0\\.0\\.1:${console.port}/console\\?token=[\\w-]{43}$`));
  const url = console.url;
  const status = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { redirect: "manual", ...init });
    assertSafe(response, `${init.method ?? "GET"} ${path}`);
    await response.body?.cancel();
    return response.status;
  };

  await t.step("a browser that only prefetches does not use up the token", async () => {
    const query = new URL(address).search;
    assertEquals(await status(`/console${query}`, { headers: { "sec-purpose": "prefetch;prerender" } }), 403);
    assertEquals(await status(`/console${query}`, { method: "HEAD" }), 403);
  });

  const first = await fetch(`${address}&source=root%3Asite`, { redirect: "manual" });
  await t.step("the token becomes a cookie and leaves the address", async () => {
    assertSafe(first, "the exchange");
    await first.body?.cancel();
    assertEquals(first.status, 303);
    assertEquals(first.headers.get("location"), "/console?source=root%3Asite");
    assertMatch(
      first.headers.get("set-cookie") ?? "",
      new RegExp(
        `^paddock_console_${console.port}=[\\w-]{43}; Path=/console; HttpOnly; SameSite=Strict; Max-Age=\\d+$`,
      ),
    );
  });
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  const as = (headers: Record<string, string> = {}) => ({ headers: { cookie, ...headers } });

  await t.step("a token that was used, or invented, is refused", async () => {
    assertEquals(await status(`/console${new URL(address).search}`), 403);
    assertEquals(await status(`/console${new URL(address).search}`, as()), 403);
    assertEquals(await status("/console?token="), 403);
    assertEquals(await status(`/console?token=${"x".repeat(5_000)}`), 403);
  });

  await t.step("the API is closed without the cookie, whatever is sent instead", async () => {
    for (
      const path of ["session", "sources", "changes", "change", "events", "openapi.json", "content", "none"]
    ) {
      assertEquals(await status(`/console/api/${path}`), 401, path);
    }
    const [name, secret = ""] = cookie.split("=");
    for (
      const forged of [
        `${name}=`,
        `${name}=${"A".repeat(43)}`,
        `paddock_console=${secret}`,
        `x=${secret}`,
        `${name}`,
      ]
    ) {
      assertEquals(await status("/console/api/session", { headers: { cookie: forged } }), 401, forged);
    }
    assertEquals(await status("/console/api/session", as()), 200);
    const headers = { authorization: `Bearer ${secret}` };
    assertEquals(await status("/console/api/session", { headers }), 401);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    assertEquals(await status("/console/api/undo", init), 401);
  });

  await t.step("a foreign Host, Origin or site is refused, even with a cookie", async () => {
    for (
      const origin of [
        "http://evil.example",
        "null",
        `http://127.0.0.1:1`,
        `http://127.0.0.1`,
        `http://localhost:${console.port}`,
      ]
    ) {
      assertEquals(await status("/console/api/session", as({ origin })), 403, origin);
      assertEquals(await status("/console", as({ origin })), 403, origin);
    }
    assertEquals(await status("/console/api/session", as({ origin: url })), 200);
    for (const site of ["cross-site", "same-site"]) {
      assertEquals(await status("/console/api/session", as({ "sec-fetch-site": site })), 403, site);
      const frame = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      assertEquals(await status("/console", as(frame)), 403, site);
      const navigation = { ...frame, "sec-fetch-dest": "document" };
      assertEquals(await status("/console", as(navigation)), 200, site);
      assertEquals(await status("/console/api/session", as(navigation)), 403, site);
    }
    for (
      const host of [
        "evil.example",
        `evil.example:${console.port}`,
        "127.0.0.1.evil.example",
        "",
        "a b",
        "127.0.0.1@evil",
      ]
    ) {
      const request =
        `GET /console/api/session HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
      const answer = await rawExchange(console.port, request);
      assertMatch(answer, /^HTTP\/1\.1 4\d\d /, host);
      assert(!answer.includes("instance"), host);
    }
  });

  await t.step(
    "each method does only what it is meant for, and only JSON of limited length is read",
    async () => {
      const json = { "content-type": "application/json" };
      for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "POST"]) {
        assertEquals(await status("/console/api/changes", { method, ...as(json) }), 405, method);
        assertEquals(await status("/console", { method, ...as() }), 405, method);
      }
      assertEquals(await status("/console/api/undo", as()), 405);
      const post = (body: string, headers: Record<string, string>) =>
        status("/console/api/undo/preview", { method: "POST", body, ...as(headers) });
      assertEquals(await post("{}", {}), 415);
      assertEquals(await post("source=root", { "content-type": "application/x-www-form-urlencoded" }), 415);
      assertEquals(await post("{}", { "content-type": "text/plain" }), 415);
      assertEquals(await post("{", json), 400);
      assertEquals(await post("{}", json), 400);
      assertEquals(await post('{"source":"root:site","ids":["abcd"],"__proto__":{}}', json), 400);
      assertEquals(await post(JSON.stringify({ source: "x".repeat(70_000), ids: ["abcd"] }), json), 413);
    },
  );

  await t.step("no path leads out of the page's own files, or to anything but images", async () => {
    for (
      const path of [
        "/console/../etc/passwd",
        "/console/%2e%2e/main.ts",
        "/console/..%2fmain.ts",
        "/console/__proto__",
      ]
        .concat(
          "/console/constructor",
          "/console/api",
          "/console//page.js",
          "/console/page.js%00",
          "/console/nothing",
        )
    ) {
      assertEquals(await status(path, as()), 404, path);
    }
    for (const path of ["/etc/passwd", "../../etc/passwd", "..", "\0"]) {
      const query = new URLSearchParams({ source: "root:site", hash: "0".repeat(64), path });
      const found = await status(`/console/api/content?${query}`, as());
      assert(found === 404 || found === 403 || found === 400, `${found} for ${path}`);
    }
    assertEquals(await status("/console/api/content?source=root%3Asite&hash=..%2F..", as()), 400);
    assertEquals(await status("/console", as()), 200);
  });

  await t.step("Enter prints a new address, which starts another session", async () => {
    await console.enter();
    const other = await ConsoleClient.open(await console.line());
    assert(other.cookie !== cookie);
    assertEquals((await (await other.send("session/end", {})).json()).ended, true);
    assertEquals(await status("/console/api/session", { headers: { cookie: other.cookie } }), 401);
    assertEquals(await status("/console/api/session", as()), 200);
  });

  await t.step("ending a session ends its streams", async () => {
    await console.enter();
    const other = await ConsoleClient.open(await console.line());
    const events = await other.events();
    await events.next("hello");
    await (await other.send("session/end", {})).body?.cancel();
    assertEquals(await events.next("bye"), { reason: "session" });
    await events.ended();
  });

  await t.step("streams are limited, and the oldest of a session makes room", async () => {
    await console.enter();
    const other = await ConsoleClient.open(await console.line());
    const all = [];
    for (let i = 0; i < 66; i++) all.push(await other.events());
    assertEquals(await all[0]?.next("bye"), { reason: "replaced" });
    await all.at(-1)?.next("hello");
    for (const events of all) await events[Symbol.asyncDispose]();
  });

  assert(!console.log.includes("token"), "the log tells a token");
  assertEquals((await console.stop()).code, 0);
});

Deno.test("paddock console says what is wrong with its arguments, and changes nothing", async () => {
  using base = tempFolder();
  for (
    const [args, wanted] of [
      [[`${base.path}/missing`], /missing.*must be an existing directory/],
      [[base.path, "--port=0"], /--port is "0"/],
      [[base.path, "--workspaces-root=/nowhere"], /workspaces-root.*must be an existing directory/],
      [[base.path, "--colour"], /unknown flag "--colour"/],
    ] as const
  ) {
    const { code, stderr } = await runToEnd(["console", ...args]);
    assertEquals(code, 1);
    assertMatch(stderr, wanted);
  }
  assertEquals(base.names(), []);
});
