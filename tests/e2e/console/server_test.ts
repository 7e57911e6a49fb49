import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Call } from "../../../src/console/api_types.ts";
import { ConsoleClient, ConsoleProcess } from "../../support/console.ts";
import { SessionClient } from "../../support/http_client.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test("--console on a server shows its calls, including reads and refusals, who is connected, and undoes changes", async () => {
  using base = tempFolder();
  for (const name of ["site", "state"]) Deno.mkdirSync(`${base.path}/${name}`);
  base.write("site/secret.txt", "CONTENT-OF-A-FILE\n");
  await using server = new ConsoleProcess({
    isServer: true,
    args: [`${base.path}/site`, `--undo-dir=${base.path}/state`],
  });
  const browser = await server.client();
  await using events = await browser.events();
  assertEquals((await events.next("hello")).live, true);

  const agent = await SessionClient.begin(server.url);
  await agent.call("read_file", { root: "site", path: "secret.txt" });
  await agent.call("read_file", { root: "site", path: "../../etc/passwd" });
  await agent.call("read_file", { root: "site", path: "missing.txt" });
  const written = await agent.call("write_file", {
    root: "site",
    path: "new.txt",
    content: "CONTENT-OF-A-FILE\n",
  });
  const foreign = await fetch(`${server.url}/mcp`, { headers: { origin: "http://evil.example" } });
  await foreign.body?.cancel();
  assertEquals(foreign.status, 403);

  const told: Call[] = [];
  while (told.length < 5) told.push(await events.next("call"));
  assertEquals(
    told.map(({ tool, outcome, code, paths, source }) => [tool, outcome, code, paths[0], source]),
    [
      ["read_file", "success", null, "secret.txt", "root:site"],
      ["read_file", "refused", "OUT_OF_BOUNDS", "../../etc/passwd", "root:site"],
      ["read_file", "error", "NOT_FOUND", "missing.txt", "root:site"],
      ["write_file", "success", null, "new.txt", "root:site"],
      ["http", "refused", "403", "/mcp", null],
    ],
  );
  const page = await browser.get("CallPage", "calls", { limit: 2 });
  assertEquals(page.calls, told.slice(3).toReversed());
  const rest = await browser.get("CallPage", "calls", { before: page.next ?? 0 });
  assertEquals([rest.calls, rest.next], [told.slice(0, 3).toReversed(), null]);
  assert(!JSON.stringify([page, rest]).includes("CONTENT-OF-A-FILE"));

  const { server: facts, connections, figures } = await browser.get("Overview", "overview");
  assertEquals(facts?.surface, "roots");
  assertEquals(
    connections.map((
      { client, transport, calls, errors, refusals },
    ) => [client, transport, calls, errors, refusals]),
    [
      ["test", "http", 4, 1, 1],
    ],
  );
  assertEquals(connections[0]?.session, told[0]?.session);
  assertEquals([figures?.calls, figures?.errors, figures?.refusals], [5, 1, 2]);
  assertEquals(figures?.minutes.length, 60);
  assertEquals(figures?.minutes.reduce((sum, { calls }) => sum + calls, 0), 5);
  await events.next("overview", (now) => now.figures?.calls === 5);

  const change = await events.next("change");
  assertEquals([change.id, change.session], [written.value.change, told[0]?.session]);
  const undo = { source: "root:site", ids: [change.id] };
  const { plan } = await browser.post("Preview", "undo/preview", undo);
  await browser.post("Done", "undo", { ...undo, plan });
  assertEquals(base.names().filter((name) => name.startsWith("site/")), ["site/", "site/secret.txt"]);
  // The server's own store works beside the viewer and the hand of the same process.
  const again = await agent.call("write_file", { root: "site", path: "again.txt", content: "x" });
  assertMatch(again.value.change, /^[0-9a-z]{16}$/);
  await events.next("change", ({ id }) => id === again.value.change);

  assertEquals((await agent.end()).status, 200);
  await events.next("overview", (now) => now.connections.length === 0);
  await server.enter();
  const other = await ConsoleClient.open(await server.line());
  assertEquals((await other.get("Session", "session")).live, true);
  assert(!server.log.includes("token="), "the log tells a token");
  assertEquals((await server.stop()).code, 0);
});

Deno.test("--console requires http, and a read-only server undoes nothing", async () => {
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/site`);
  await using server = new ConsoleProcess({
    isServer: true,
    args: [`${base.path}/site`, "--read-only", `--undo-dir=${base.path}/state`],
  });
  const browser = await server.client();
  const [source] = (await browser.get("Sources", "sources")).sources;
  assertEquals([source?.state, source?.can_undo], ["unavailable", false]);
  assertMatch(source?.note ?? "", /read-only/);
  const refusal = await browser.refusal(
    403,
    await browser.send("undo/preview", { source: "root:site", ids: ["0123456789abcdef"] }),
  );
  assertMatch(refusal.message, /read-only/);
});
