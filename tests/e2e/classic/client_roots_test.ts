/** Client roots narrow what the operator gave, and never widen it: both major versions, both eras, all transports. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { HttpServer } from "../../support/http_server.ts";
import { TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { firstMajor, type Offer, type Reach, type RootedClient, secondMajor } from "./rooted_clients.ts";

/** `one` and `two` are served; `one` contains folders, links and a name that has to be encoded. */
function field(): TempFolder {
  const temp = tempFolder();
  for (
    const name of [
      "one/sub/deep.txt",
      "one/other/o.txt",
      "one/a b%c/odd.txt",
      "two/t.txt",
      "outside/secret.txt",
    ]
  ) {
    temp.write(name, `${name}\n`);
  }
  Deno.symlinkSync("sub", `${temp.path}/one/to_sub`);
  Deno.symlinkSync(`${temp.path}/outside`, `${temp.path}/one/to_outside`);
  Deno.symlinkSync(`${temp.path}/one/sub`, `${temp.path}/outside/to_one`);
  return temp;
}

function served({ path }: TempFolder): string[] {
  return [`${path}/one`, `${path}/two`];
}

async function allowed(client: RootedClient): Promise<string[]> {
  const [title, ...directories] = (await client.call("list_allowed_directories")).split("\n");
  assertEquals(title, "Allowed directories:");
  return directories;
}

const KINDS: Record<string, (offer: Offer, reach: Reach) => Promise<RootedClient>> = {
  "the SDK's first major version": firstMajor,
  "the SDK's second major version": (offer, reach) => secondMajor(offer, reach, "legacy"),
  "the SDK's second major in 2026-07-28": (offer, reach) => secondMajor(offer, reach, "modern"),
};

/** What a client announces, and what is left of the two directories; `$` is the folder around them. */
const OFFERS: readonly [what: string, uris: string[], left: string[]][] = [
  ["one of the directories", ["file://$/two"], ["$/two"]],
  ["a folder in one of them", ["file://$/one/sub"], ["$/one/sub"]],
  ["a slash at the end", ["file://$/one/sub/"], ["$/one/sub"]],
  ["several, in its own order", ["file://$/two", "file://$/one/sub"], ["$/two", "$/one/sub"]],
  ["one inside another", ["file://$/one", "file://$/one/sub"], ["$/one", "$/one/sub"]],
  ["a folder around both", ["file://$"], ["$/one", "$/two"]],
  ["the whole file system", ["file:///"], ["$/one", "$/two"]],
  ["one inside and one outside", ["file://$/outside", "file://$/one/sub"], ["$/one/sub"]],
  ["only what is outside", ["file://$/outside", "file:///etc"], ["$/one", "$/two"]],
  ["a sibling folder whose name begins the same", ["file://$/one_evil"], ["$/one", "$/two"]],
  ["none", [], ["$/one", "$/two"]],
  ["a link that stays inside", ["file://$/one/to_sub"], ["$/one/sub"]],
  ["a link that leads outside", ["file://$/one/to_outside"], ["$/one", "$/two"]],
  ["a link outside that leads in, which is ignored", ["file://$/outside/to_one"], ["$/one", "$/two"]],
  ["a file", ["file://$/one/sub/deep.txt"], ["$/one", "$/two"]],
  ["a missing folder", ["file://$/one/nope"], ["$/one", "$/two"]],
  ["an encoded name", ["file://$/one/a%20b%25c"], ["$/one/a b%c"]],
  ["encoded dots", ["file://$/one/%2e%2e/outside"], ["$/one", "$/two"]],
  ["an encoded slash", ["file://$/one/sub%2f..%2f..%2foutside", "file://$/two"], ["$/two"]],
  ["an encoded null byte", ["file://$/one/sub%00", "file://$/two"], ["$/two"]],
  ["another host", ["file://elsewhere$/one/sub", "file://$/two"], ["$/two"]],
  ["this host by its name", ["file://localhost$/one/sub"], ["$/one/sub"]],
];

for (const [kind, connect] of Object.entries(KINDS)) {
  Deno.test({
    ...onUnix(`roots of ${kind} narrow the directories, over stdio and HTTP`),
    async fn(t) {
      using temp = field();
      await using http = await HttpServer.start(["--classic", "--log-level=error", ...served(temp)]);
      const reaches: Record<string, Reach> = {
        stdio: { serve: ["--log-level=error", ...served(temp)] },
        HTTP: { url: http.url },
      };
      for (const [by, reach] of Object.entries(reaches)) {
        const offer: Offer = { uris: [`file://${temp.path}/one/sub`], asked: 0 };
        const client = await connect(offer, reach);
        await t.step(`the first call sees them, over ${by}`, async () => {
          assertEquals(await allowed(client), [`${temp.path}/one/sub`]);
          assertEquals(await client.call("read_text_file", { path: "deep.txt" }), "one/sub/deep.txt\n");
          const denied = await client.call("read_text_file", { path: `${temp.path}/two/t.txt` });
          assertMatch(denied, /^Access denied - path outside allowed directories: .*one\/sub$/);
          assertMatch(
            await client.call("read_text_file", { path: "../other/o.txt" }),
            /^Access denied - path outside allowed directories/,
          );
        });
        for (const [what, uris, left] of OFFERS) {
          await t.step(`${what}, over ${by}`, async () => {
            offer.uris = uris.map((uri) => uri.replace("$", temp.path));
            await client.changed();
            assertEquals(await allowed(client), left.map((path) => path.replace("$", temp.path)));
          });
        }
        await client.close();
      }
    },
  });
}

/** A client that speaks raw JSON lines, so that it can answer late, wrongly or not at all. */
async function rawClient(temp: TempFolder): Promise<TestServer> {
  const server = new TestServer(["--classic", ...served(temp)]);
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: "raw", version: "1" },
  });
  await server.notify("notifications/initialized");
  return server;
}

Deno.test(onUnix("calls wait for the roots requested from the client, and see them"), async () => {
  using temp = field();
  await using server = await rawClient(temp);
  const call = server.call("list_allowed_directories");
  const { id, method } = await server.next();
  assertEquals(method, "roots/list");
  await server.send({
    jsonrpc: "2.0",
    id,
    result: { roots: [{ uri: `file://${temp.path}/two`, name: "Two" }] },
  });
  assertEquals((await call).text, `Allowed directories:\n${temp.path}/two`);
  await server.notify("notifications/roots/list_changed");
  const written = server.call("write_file", { path: "new.txt", content: "new" });
  const again = await server.next();
  assertEquals(again.method, "roots/list");
  await server.send({
    jsonrpc: "2.0",
    id: again.id,
    result: { roots: [{ uri: `file://${temp.path}/one/sub` }] },
  });
  assertEquals((await written).text, "Successfully wrote to new.txt");
  assertEquals(temp.read("one/sub/new.txt"), "new"); // and not where the roots were before
});

Deno.test(onUnix("the answer to the last request counts, whichever arrives first"), async () => {
  using temp = field();
  await using server = await rawClient(temp);
  const first = await server.next();
  await server.notify("notifications/roots/list_changed");
  const second = await server.next();
  await server.send({
    jsonrpc: "2.0",
    id: second.id,
    result: { roots: [{ uri: `file://${temp.path}/two` }] },
  });
  await server.send({
    jsonrpc: "2.0",
    id: first.id,
    result: { roots: [{ uri: `file://${temp.path}/one` }] },
  });
  assertEquals(
    (await server.call("list_allowed_directories")).text,
    `Allowed directories:\n${temp.path}/two`,
  );
});

Deno.test(
  onUnix("a client that does not answer, or answers wrongly, gets all directories, and the log says so"),
  async () => {
    using temp = field();
    const all = `Allowed directories:\n${served(temp).join("\n")}`;
    await using silent = await rawClient(temp);
    assertEquals((await silent.call("list_allowed_directories")).text, all);
    await using wrong = await rawClient(temp);
    const { id } = await wrong.next();
    await wrong.send({ jsonrpc: "2.0", id, result: { roots: "everything" } });
    assertEquals((await wrong.call("list_allowed_directories")).text, all);
    await wrong.logged("client_roots_unknown");
    await using refusing = await rawClient(temp);
    const asked = await refusing.next();
    await refusing.send({ jsonrpc: "2.0", id: asked.id, error: { code: -32603, message: "no" } });
    assertEquals((await refusing.call("list_allowed_directories")).text, all);
    await refusing.logged("client_roots_unknown");
  },
);

Deno.test(
  onUnix("roots that overlap nothing leave the directories as they are, and the log says so once"),
  async () => {
    using temp = field();
    await using server = await rawClient(temp);
    const { id } = await server.next();
    const roots = [{ uri: "https://example.com/project" }, { uri: "file:///nowhere" }];
    await server.send({ jsonrpc: "2.0", id, result: { roots } });
    for (const _ of [1, 2]) {
      assertStringIncludes((await server.call("list_allowed_directories")).text, `${temp.path}/two`);
    }
    await server.logged("client_roots_ignored");
    assertEquals(server.log.split("client_roots_ignored").length, 2);
  },
);

Deno.test(onUnix("a client's folder does not become a way out when it is swapped for a link"), async () => {
  using temp = field();
  await using server = await rawClient(temp);
  const { id } = await server.next();
  await server.send({ jsonrpc: "2.0", id, result: { roots: [{ uri: `file://${temp.path}/one/sub` }] } });
  assertEquals((await server.call("read_text_file", { path: "deep.txt" })).isError, false);
  Deno.renameSync(`${temp.path}/one/sub`, `${temp.path}/one/gone`);
  Deno.symlinkSync(`${temp.path}/outside`, `${temp.path}/one/sub`);
  const { text, isError } = await server.call("read_text_file", { path: `${temp.path}/one/sub/secret.txt` });
  assertEquals([isError, text.includes("secret.txt\n"), text.includes("outside/secret")], [
    true,
    false,
    false,
  ]);
});
