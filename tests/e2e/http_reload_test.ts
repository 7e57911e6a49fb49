/** SIGHUP over HTTP: a changed configuration is adopted while clients are at work, and they notice nothing. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ModernClient, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer, pause } from "../support/http_server.ts";
import { onUnix } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Setup extends AsyncDisposable {
  folder: TempFolder;
  server: HttpServer;
  /** Writes the config file: what is allowed by root; a root's folder has its name. */
  configure(roots: Record<string, string>, settings?: string): void;
  /** Makes the server read it again, and waits until it has. */
  hangUp(telling?: string): Promise<void>;
}

async function setUp(roots: Record<string, string>, settings = ""): Promise<Setup> {
  const folder = tempFolder();
  for (const name of ["one", "two", "three", "four", "five"]) folder.write(`${name}/a.txt`, name);
  const configure = (roots: Record<string, string>, settings = "") => {
    const entries = Object.entries(roots).map(([name, tools]) =>
      `  - name: ${name}\n    path: ./${name}\n    allowed_tools: [${tools}]\n`
    );
    folder.write("paddock.yaml", `${settings}roots:\n${entries.join("")}`);
  };
  configure(roots, settings);
  const server = await HttpServer.start([`--config=${folder.path}/paddock.yaml`]);
  return {
    folder,
    server,
    configure,
    hangUp: async (telling = "config_reloaded") => {
      const times = server.log.split(telling).length;
      server.kill("SIGHUP");
      await server.logged(telling, times);
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/**
 * Makes requests one by one, and many at once, until told to stop; returns the number of answers, and the wrong ones.
 */
function steadily(ask: () => Promise<{ text: string; isError: boolean }>, atOnce: number) {
  const seen = { right: 0, wrong: [] as string[] };
  let going = true;
  const one = async () => {
    try {
      const { text } = await ask();
      if (text === "one") seen.right++;
      else seen.wrong.push(text);
    } catch (error) {
      seen.wrong.push(String(error));
    }
  };
  const running = (async () => {
    while (going) await Promise.all(Array.from({ length: atOnce }, one));
  })();
  return async () => {
    going = false;
    await running;
    return seen;
  };
}

Deno.test({
  ...onUnix(
    "SIGHUP loses no request, and ends no session and no stream, while roots are added again and again",
  ),
  fn: async () => {
    const roots: Record<string, string> = { one: '"*"' };
    await using setup = await setUp(roots);
    const { server, configure, hangUp } = setup;
    const http = Deno.createHttpClient({});
    const [client, modern] = [
      await SessionClient.begin(server.url),
      new ModernClient(server.url, { client: http }),
    ];
    const stream = await client.stream();
    const read = { root: "one", path: "a.txt" };
    const loads = [1, 6].flatMap((atOnce) => [
      steadily(() => client.call("read_file", read), atOnce),
      steadily(() => modern.call("read_file", read), atOnce),
    ]);
    const begins = steadily(async () => (await SessionClient.begin(server.url)).call("read_file", read), 1);
    const connects = steadily(async () => {
      using fresh = Deno.createHttpClient({});
      return await new ModernClient(server.url, { client: fresh }).call("read_file", read);
    }, 1);
    for (const name of ["two", "three", "four"]) {
      roots[name] = '"*"';
      configure(roots);
      await hangUp();
      assertEquals((await client.call("read_file", { root: name, path: "a.txt" })).text, name);
      assertEquals((await modern.call("read_file", { root: name, path: "a.txt" })).text, name);
      await pause(50);
    }
    roots.five = '"*"';
    configure(roots);
    for (let i = 0; i < 4; i++) server.kill("SIGHUP");
    await eventually(
      () => client.call("read_file", { root: "five", path: "a.txt" }),
      ({ isError }) => !isError,
    );
    for (const end of [...loads, begins, connects]) {
      const { right, wrong } = await end();
      assertEquals(wrong, []);
      assert(right > 0);
    }
    const written = await client.call("write_file", { root: "five", path: "b.txt", content: "new" });
    assertEquals([written.isError, setup.folder.read("five/b.txt")], [false, "new"]);
    assertEquals(await Promise.race([stream.text(), pause(50).then(() => "open")]), "open");
    await (await client.end()).body?.cancel();
    http.close();
    server.kill("SIGTERM");
    assertEquals(await server.exit(), 0);
    for (const told of ["config_rejected", "restart_needed", '"level":"error"']) {
      assertEquals(server.log.includes(told), false, told);
    }
  },
});

Deno.test({
  ...onUnix("SIGHUP lets a call that has begun continue with the tools it began with"),
  fn: async () => {
    await using setup = await setUp({ one: '"*"', two: '"*"' });
    const { server, folder, configure, hangUp } = setup;
    const client = await SessionClient.begin(server.url);
    const file = Deno.openSync(`${folder.path}/two/a.txt`, { read: true, write: true });
    file.lockSync(true);
    const waiting = client.call("write_file", { root: "two", path: "a.txt", content: "after" });
    await eventually(() => server.metric("lock_waits_total"), (waits) => waits === 1);
    configure({ one: '"*"', three: '"*"' });
    await hangUp();
    assertStringIncludes(
      (await client.call("read_file", { root: "two", path: "a.txt" })).text,
      "unknown root: two",
    );
    file.close();
    assertEquals((await waiting).isError, false);
    assertEquals(folder.read("two/a.txt"), "after");
    const counted = await server.metric('tool_calls_total{tool="write_file",outcome="success"}');
    const read = await server.metric('tool_calls_total{tool="read_file",outcome="error"}');
    assertEquals([counted, read], [1, 1]);
  },
});

Deno.test({
  ...onUnix(
    "SIGHUP adopts allowlists, removed roots and settings, and changes nothing if the file is broken",
  ),
  fn: async () => {
    await using setup = await setUp({ one: '"*"', two: '"*"' });
    const { server, folder, configure, hangUp } = setup;
    const client = await SessionClient.begin(server.url);
    const write = async (root: string) =>
      (await client.call("write_file", { root, path: "b.txt", content: "b" })).text;
    configure({ one: "read_file", three: '"*"' });
    await hangUp();
    assertStringIncludes(await write("one"), "tool write_file not allowed on root one");
    assertStringIncludes(await write("two"), "unknown root: two; known roots: one, three");

    folder.write("paddock.yaml", "roots: [");
    await hangUp("config_rejected");
    configure({ nowhere: '"*"' });
    await hangUp("config_rejected");
    assertStringIncludes(await write("one"), "tool write_file not allowed on root one");
    assertEquals((await client.call("read_file", { root: "three", path: "a.txt" })).text, "three");

    configure({ one: '"*"', three: '"*"' }, "read_only: true\n");
    await hangUp();
    assertStringIncludes(await write("one"), "the server is read-only");
    const listed = (await client.request("tools/list")).result.tools.map(({ name }: { name: string }) =>
      name
    );
    assertEquals([listed.includes("read_file"), listed.includes("write_file")], [true, false]);

    folder.write("token", "a-token-of-more-than-16");
    configure(
      { one: '"*"' },
      `auth_token_file: ${folder.path}/token\ncors_origins: [https://app.example.com]\n`,
    );
    await hangUp();
    const refused = await client.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    assertEquals(refused.status, 401);
    await refused.body?.cancel();
    const headers = { authorization: "Bearer a-token-of-more-than-16", origin: "https://app.example.com" };
    const answered = await client.send({ jsonrpc: "2.0", id: 1, method: "ping" }, { headers });
    assertEquals([answered.status, answered.headers.get("access-control-allow-origin")], [
      200,
      headers.origin,
    ]);
    await answered.body?.cancel();

    configure({ one: '"*"' }, "log_format: text\nlog_level: debug\n");
    await hangUp();
    assertStringIncludes(server.log, '"settings":["log_format","log_level"]');
    assertStringIncludes(await write("one"), "b.txt");
    assertEquals(folder.read("one/b.txt"), "b");
  },
});
