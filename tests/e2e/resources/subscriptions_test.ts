/** Who is notified of changed files: those who asked for it and may read them, in both eras, and nobody else. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ModernClient, SessionClient } from "../../support/http_client.ts";
import { eventually, type HttpServer, pause } from "../../support/http_server.ts";
import { onUnix } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { Hearing, openField } from "./fixture.ts";

/** A client with a session and its standing stream. */
async function listening(server: HttpServer) {
  const client = await SessionClient.begin(server.url, "2025-11-25");
  const hearing = new Hearing((signal) => client.stream({ signal }));
  return { client, hearing };
}

async function modernListening(server: HttpServer, notifications: Record<string, unknown>) {
  const client = new ModernClient(server.url);
  const hearing = new Hearing((signal) => client.send("subscriptions/listen", { notifications }, { signal }));
  await eventually(() => hearing.heard.length, (count) => count > 0);
  return { client, hearing };
}

Deno.test({
  ...onUnix(
    "a changed file is reported to those who have subscribed to it, by whatever name, and to nobody else",
  ),
  fn: async () => {
    await using field = await openField();
    const { server } = field;
    const [a, b] = [await listening(server), await listening(server)];
    const subscribe = async (client: SessionClient, uri: unknown) =>
      (await client.request("resources/subscribe", { uri })).error?.code ?? "ok";
    assertEquals(await subscribe(a.client, "paddock://open/a.txt"), "ok");
    assertEquals(await subscribe(a.client, "paddock://open/link.txt"), "ok");
    assertEquals(await subscribe(a.client, "paddock://other/new/later.txt"), "ok");
    assertEquals(await subscribe(b.client, "paddock://other/c.txt"), "ok");
    for (
      const uri of ["paddock://shut/secret.txt", "paddock://open/shut/secret.txt", "paddock://open/sly.txt"]
    ) {
      assertEquals(await subscribe(b.client, uri), -32602, uri);
    }
    for (
      const uri of [
        "paddock://open/undo-store/x",
        "paddock://open/../outside.txt",
        "paddock://open/up/x",
        5,
        { toString: 1, valueOf: null },
      ]
    ) {
      assertEquals(await subscribe(b.client, uri), -32602, JSON.stringify(uri));
    }
    const modern = await modernListening(server, {
      toolsListChanged: true,
      resourceSubscriptions: ["paddock://open/a.txt", "paddock://shut/secret.txt", "paddock://open/../x"],
    });
    assertEquals(modern.hearing.heard[0]?.params.notifications, {
      toolsListChanged: true,
      resourceSubscriptions: ["paddock://open/a.txt"],
    });
    const writer = await SessionClient.begin(server.url);
    const write = (root: string, path: string) =>
      writer.call("write_file", { root, path, content: crypto.randomUUID(), mode: "overwrite" });
    await write("open", "a.txt");
    await write("shut", "secret.txt");
    await write("other", "new/later.txt");
    const sorted = (hearing: Hearing) => hearing.updated.toSorted();
    const both = ["paddock://open/a.txt", "paddock://open/link.txt", "paddock://other/new/later.txt"];
    assertEquals(await eventually(() => sorted(a.hearing), (uris) => uris.length >= 3), both);
    assertEquals(await eventually(() => modern.hearing.updated, (uris) => uris.length >= 1), [both[0]]);
    assertEquals(modern.hearing.heard.at(-1)?.params._meta, { "io.modelcontextprotocol/subscriptionId": 1 });
    assertEquals(b.hearing.updated, []);
    assertEquals((await writer.call("undo", { root: "other" })).isError, false);
    assertEquals((await eventually(() => a.hearing.updated, (uris) => uris.length >= 4))[3], both[2]);
    await a.client.request("resources/unsubscribe", { uri: "paddock://open/a.txt" });
    await write("open", "a.txt");
    await writer.call("move", {
      source_root: "other",
      source_path: "c.txt",
      dest_root: "other",
      dest_path: "d.txt",
    });
    assertEquals(await eventually(() => b.hearing.updated, (uris) => uris.length >= 1), [
      "paddock://other/c.txt",
    ]);
    assertEquals(a.hearing.updated.filter((uri) => uri === both[0]).length, 1);
    await Promise.all([a, b, modern].map(({ hearing }) => hearing[Symbol.asyncDispose]()));
  },
});

Deno.test({
  ...onUnix(
    "after a reload clients are notified of changed tools and roots, and no longer of files they may not read",
  ),
  fn: async () => {
    await using field = await openField();
    const { server } = field;
    const a = await listening(server);
    const modern = await modernListening(server, {
      toolsListChanged: true,
      resourceSubscriptions: ["paddock://open/a.txt"],
    });
    await a.client.request("resources/subscribe", { uri: "paddock://open/a.txt" });
    field.allow("list_folder, write_file");
    server.kill("SIGHUP");
    await server.logged("config_reloaded");
    const changed = "notifications/tools/list_changed";
    // The other root still allows every tool: the list is the same, but the resources are not.
    await eventually(
      () => a.hearing.methods,
      (methods) => methods.includes("notifications/resources/list_changed"),
    );
    assertEquals(a.hearing.methods, ["notifications/resources/list_changed"]);
    const content = { root: "open", path: "a.txt", content: "changed" };
    assertEquals((await a.client.call("write_file", content)).isError, false);
    await a.client.call("write_file", { ...content, root: "other" });
    await pause(100);
    assertEquals([a.hearing.updated, modern.hearing.updated], [[], []]);
    field.folder.write(
      "paddock.yaml",
      "roots:\n  - { name: open, path: ./open, allowed_tools: [list_folder, read_file] }\n",
    );
    server.kill("SIGHUP");
    await server.logged("config_reloaded", 2);
    for (const { hearing } of [a, modern]) {
      assert((await eventually(() => hearing.methods, (all) => all.includes(changed))).includes(changed));
    }
    await Promise.all([a, modern].map(({ hearing }) => hearing[Symbol.asyncDispose]()));
  },
});

Deno.test("subscriptions/listen refuses too many and malformed subscriptions, and ends when it can meet none", async () => {
  await using field = await openField();
  const uri = (i: number) => `paddock://other/${i}.txt`;
  const modern = new ModernClient(field.server.url);
  const many = { notifications: { resourceSubscriptions: Array.from({ length: 1_001 }, (_, i) => uri(i)) } };
  const refused = await modern.send("subscriptions/listen", many);
  assertStringIncludes((await refused.json()).error.message, "at most 1000 resourceSubscriptions");
  for (const notifications of [undefined, 5, null, { toolsListChanged: 5 }, { resourceSubscriptions: [5] }]) {
    const odd = await modern.send("subscriptions/listen", { notifications });
    assertEquals((await odd.json()).error.code, -32602, JSON.stringify(notifications));
  }
  const none = await modern.send("subscriptions/listen", {
    notifications: { promptsListChanged: true, resourceSubscriptions: ["paddock://shut/secret.txt"] },
  });
  const events = await none.text();
  assertStringIncludes(events, '"notifications":{}');
  assertStringIncludes(events, '"resultType":"complete"');
});

Deno.test("on stdio a client of either era is notified of its own changes, once for each request to listen", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "a\n");
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const uri = `paddock://${root}/a.txt`;
  const edit = { name: "write_file", arguments: { root, path: "a.txt", content: "b\n" } };
  const heard = (server: TestServer) =>
    server.lines.map((line) => JSON.parse(line)).filter(({ method }) =>
      method === "notifications/resources/updated"
    );
  {
    await using server = new TestServer([folder.path]);
    await server.initialize("2025-11-25");
    await server.request("resources/subscribe", { uri });
    await server.request("tools/call", edit);
    assertEquals((await eventually(() => heard(server), (all) => all.length > 0))[0].params, { uri });
  }
  await using server = new TestServer([folder.path]);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await server.request("server/discover", { _meta });
  const listen = (id: number) =>
    server.send({
      jsonrpc: "2.0",
      id,
      method: "subscriptions/listen",
      params: { _meta, notifications: { resourceSubscriptions: [uri, "paddock://nobody/x"] } },
    });
  await listen(101);
  await listen(102);
  const acknowledged = () =>
    server.lines.map((line) => JSON.parse(line)).filter(({ method }) =>
      method === "notifications/subscriptions/acknowledged"
    );
  const [first] = await eventually(acknowledged, (all) => all.length === 2);
  assertEquals(first.params.notifications, { resourceSubscriptions: [uri] });
  await server.request("tools/call", { ...edit, _meta });
  await eventually(() => heard(server), (all) => all.length >= 2);
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 101 } });
  await server.request("tools/call", { ...edit, _meta });
  await eventually(() => heard(server), (all) => all.length >= 3);
  await pause(50);
  const ids = heard(server).map(({ params }) => params._meta["io.modelcontextprotocol/subscriptionId"]);
  assertEquals(ids, [101, 102, 102]);
});
