/** SIGHUP on stdio: the config file is read again, for all later calls. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { onUnix } from "../support/needs.ts";
import { linesOf } from "../support/run_log.ts";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

/** Writes the config file: what is allowed by root; a root's folder has its name. */
function configure(folder: TempFolder, roots: Record<string, string>, settings = ""): string {
  const entries = Object.entries(roots).map(([name, tools]) =>
    `  - name: ${name}\n    path: ./${name}\n    allowed_tools: [${tools}]\n`
  );
  return folder.write("paddock.yaml", `${settings}roots:\n${entries.join("")}`);
}

function folders(): TempFolder {
  const folder = tempFolder();
  for (const name of ["one", "two", "three"]) folder.write(`${name}/a.txt`, name);
  return folder;
}

/** Sends SIGHUP and waits for the nth log line about it. */
async function hangUp(server: TestServer, telling: string, nth = 1): Promise<void> {
  server.kill("SIGHUP");
  for (let i = 0; i < 1000 && server.log.split(telling).length <= nth; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(server.log.split(telling).length - 1, nth, server.log);
}

Deno.test({
  ...onUnix("SIGHUP adopts changed allowlists, removed roots and added ones for the next call"),
  fn: async () => {
    using folder = folders();
    const config = configure(folder, { one: '"*"', two: '"*"' });
    await using server = new TestServer([`--config=${config}`, "--transport=stdio"]);
    const read = (root: string) => server.call("read_file", { root, path: "a.txt" });
    const write = (root: string) => server.call("write_file", { root, path: "b.txt", content: root });
    await server.initialize();
    assertEquals([(await read("one")).isError, (await write("two")).isError], [false, false]);

    configure(folder, { one: "read_file" });
    await hangUp(server, "config_reloaded");
    const refused = await write("one");
    assertStringIncludes(refused.text, "tool write_file not allowed on root one");
    assertEquals((await read("one")).text, "one");
    const gone = await read("two");
    assertStringIncludes(gone.text, "unknown root: two; known roots: one");
    const { roots } = (await server.call("list_roots")).value;
    assertEquals([roots.length, roots[0].name, roots[0].allowed_tools], [1, "one", ["read_file"]]);

    configure(folder, { one: '"*"', two: "write_file", three: '"*"' });
    await hangUp(server, "config_reloaded", 2);
    assertEquals([(await read("three")).text, (await write("three")).isError], ["three", false]);
    assertEquals([(await write("one")).isError, (await write("two")).isError], [false, false]);
    assertEquals((await read("two")).isError, true);
    assertEquals(linesOf(server.log, "config_reloaded").map(({ roots }) => roots), [
      ["one"],
      ["one", "two", "three"],
    ]);
    assertEquals(linesOf(server.log, "restart_needed"), []);
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...onUnix(
    "SIGHUP keeps the old configuration and says why if the file is broken, and adopts a repaired one",
  ),
  fn: async () => {
    using folder = folders();
    const config = configure(folder, { one: "read_file" });
    await using server = new TestServer([`--config=${config}`, "--transport=stdio"]);
    await server.initialize();
    const refusal = "config_rejected";
    const broken = ["roots: [", "roots: []\n", "roots:\n  - name: one\n    path: ./one\n", ""];
    for (const [index, text] of broken.entries()) {
      folder.write("paddock.yaml", text);
      await hangUp(server, refusal, index + 1);
      assertEquals((await server.call("read_file", { root: "one", path: "a.txt" })).text, "one");
      const write = await server.call("write_file", { root: "one", path: "b.txt", content: "" });
      assertEquals(write.isError, true, `a broken file allows more: ${JSON.stringify(text)}`);
    }
    Deno.removeSync(config);
    await hangUp(server, refusal, broken.length + 1);
    assertEquals((await server.call("read_file", { root: "one", path: "a.txt" })).text, "one");
    const rejections = linesOf(server.log, refusal);
    assertEquals(
      rejections.map(({ level, config }) => [level, config]),
      rejections.map(() => ["error", config]),
    );
    assertStringIncludes(JSON.stringify(rejections[2]?.mistakes), "allowed_tools");

    configure(folder, { one: "write_file" });
    await hangUp(server, "config_reloaded");
    assertEquals(
      (await server.call("write_file", { root: "one", path: "b.txt", content: "" })).isError,
      false,
    );
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...onUnix("SIGHUP keeps the transport whatever the file says now"),
  fn: async () => {
    using folder = folders();
    const config = configure(folder, { one: '"*"' }, "transport: stdio\n");
    await using server = new TestServer([`--config=${config}`]);
    await server.initialize();
    configure(folder, { one: "read_file", three: '"*"' }, "transport: http\nport: 8099\n");
    await hangUp(server, "config_reloaded");
    const waiting = linesOf(server.log, "restart_needed");
    assertEquals(waiting.map(({ level, settings }) => [level, settings]), [["warn", ["transport"]]]);
    for (const root of ["one", "three"]) {
      assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, root);
    }
    assertEquals(await server.end(), 0);
    assertEquals(linesOf(server.log, "server_starting").length, 1);
  },
});

Deno.test({
  ...onUnix("SIGHUP changes which tools are offered, and says that the console needs a restart"),
  fn: async () => {
    using folder = folders();
    const config = configure(folder, { one: '"*"' });
    await using server = new TestServer([`--config=${config}`, "--transport=stdio"]);
    await server.initialize();
    configure(folder, { one: '"*"' }, "tools: [read_file]\nconsole: true\n");
    await hangUp(server, "config_reloaded");
    const waiting = linesOf(server.log, "restart_needed");
    assertEquals(waiting.map(({ settings }) => settings), [["console"]]);
    const { text, isError } = await server.call("write_file", { root: "one", path: "b.txt", content: "" });
    assertEquals([isError, /^write_file is not offered here/.test(text)], [true, true], text);
    assertEquals((await server.call("read_file", { root: "one", path: "a.txt" })).text, "one");
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...onUnix("SIGHUP changes nothing and says so when there is no config file"),
  fn: async () => {
    using folder = folders();
    await using server = new TestServer([`${folder.path}/one`]);
    await server.initialize();
    await hangUp(server, "config_rejected");
    assertStringIncludes(server.log, "there is no config file to reload");
    assertEquals((await server.call("read_file", { root: "one", path: "a.txt" })).text, "one");
    assertEquals(await server.end(), 0);
  },
});
