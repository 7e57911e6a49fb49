/** The run loop's fifteen test scenarios, under the names they have in its specification. */
import { assert, assertEquals, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { RunLoop } from "../../src/server/lifecycle.ts";
import { onLinux } from "../support/needs.ts";
import { linesOf, memoryOf, totals } from "../support/run_log.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import { runningToy, toyCall, toyServer } from "../support/toy_server.ts";

/** The real server over a folder with one file, named `root` here. */
function start(options: { args?: string[]; shell?: string } = {}) {
  const folder = tempFolder();
  folder.write("root/a.txt", "Python is great\n");
  const args = ["--log-format=json", ...(options.args ?? []), `${folder.path}/root`];
  const server = new TestServer(args, options.shell === undefined ? {} : { shell: options.shell });
  return {
    server,
    folder,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function readCall(id: number) {
  const params = { name: "read_file", arguments: { root: "root", path: "a.txt" } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

Deno.test("test_run_starts_successfully: the server is running, its clock too, and it waits for input", async () => {
  const { loop, stats, listener } = toyServer();
  assertEquals([loop.state, stats.startedAt], ["ready", undefined]);
  const running = loop.run(listener);
  await Promise.resolve();
  assertEquals([loop.state, typeof stats.startedAt], ["running", "number"]);
  loop.shutdown("done");
  await running;

  await using started = start();
  const { server } = started;
  await server.logged("server_starting");
  const [line] = linesOf(server.log, "server_starting");
  assertEquals([line?.level, line?.roots], ["info", ["root"]]);
  assert(Array.isArray(line?.tools) && line.tools.length === line.tool_count && line.tools.length > 0);
  assertEquals(server.lines, []);
  assertEquals(await server.end(), 0);
});

Deno.test("test_run_processes_valid_request: the tool runs, the answer is sent, the request is counted", async () => {
  await using started = start();
  const { server } = started;
  await server.send(readCall(1));
  assertEquals((await server.answerTo(1)).result.content[0].text, "Python is great\n");
  assertEquals(await server.end(), 0);
  assertEquals(totals(server.log), { requests: 1, errors: 0 });
});

Deno.test("test_run_exits_on_stdin_eof: the server ends cleanly, without an error", async () => {
  await using started = start();
  const { server } = started;
  assertEquals(await server.end(), 0);
  assertEquals(linesOf(server.log, "server_stopping")[0]?.reason, "the input ended");
  assertEquals(totals(server.log), { requests: 0, errors: 0 });
  assertEquals(server.log.includes('"level":"error"'), false);

  const { loop, input, ended } = runningToy();
  input.end();
  await ended;
  assertEquals(loop.state, "stopped");
});

for (const [number, signal] of [["sigint", "SIGINT"], ["sigterm", "SIGTERM"]] as const) {
  Deno.test(`test_run_${number}_graceful_shutdown: the signal ends the server cleanly`, async () => {
    await using started = start();
    const { server } = started;
    await server.logged("server_starting");
    server.kill(signal);
    assertEquals(await server.exit(), 0);
    assertEquals(linesOf(server.log, "server_stopping")[0]?.reason, signal);
    assertEquals(totals(server.log), { requests: 0, errors: 0 });
  });
}

Deno.test("test_run_no_tools_registered_raises: the error says what to do", async () => {
  const { log, stats, listener } = toyServer();
  const loop = new RunLoop({ log, stats, toolNames: [] });
  const error = await assertRejects(() => loop.run(listener), Error, "zero tools registered");
  assertStringIncludes(error.message, "register_all_tools()");
});

Deno.test("test_run_already_running_raises: the second run fails, the first continues", async () => {
  const { loop, input, output, listener, ended } = runningToy();
  await assertRejects(() => loop.run(listener), Error, "Server is already running");
  input.send(toyCall(1, "echo", "still here"));
  assertEquals((await output.answerTo(1)).result.content[0].text, "still here");
  loop.shutdown("done");
  await ended;
});

Deno.test({
  ...onLinux(
    "test_run_stdin_unavailable_raises: the server says that stdin is closed and exits 1",
  ),
  fn: async () => {
    await using started = start({ shell: "$SERVER <&-" });
    assertEquals(await started.server.exit(), 1);
    assertEquals(linesOf(started.server.log, "server_error")[0]?.error, "stdin is closed");
  },
});

Deno.test({
  ...onLinux(
    "test_run_stdout_closed_raises: the server says that stdout is closed and exits 1",
  ),
  fn: async () => {
    await using started = start({ shell: "$SERVER >&-" });
    assertEquals(await started.server.exit(), 1);
    assertEquals(linesOf(started.server.log, "server_error")[0]?.error, "stdout is closed");
  },
});

Deno.test("test_run_tool_exception_continues: the call is answered with an error, the next one runs", async () => {
  const { input, output, loop, stats, ended } = runningToy();
  input.send(toyCall(1, "buggy"));
  assertEquals((await output.answerTo(1)).result.isError, true);
  assertEquals([stats.snapshot().errors, loop.state], [1, "running"]);
  input.send(toyCall(2, "echo", "next"));
  assertEquals((await output.answerTo(2)).result.content[0].text, "next");
  input.end();
  await ended;
});

Deno.test("test_run_full_request_cycle: from the first message to the last, as a client speaks", async () => {
  await using started = start();
  const { server } = started;
  const welcome = await server.initialize();
  assertEquals(welcome.result.serverInfo.name, "paddock");
  const { result } = await server.request("tools/list");
  assert(result.tools.some(({ name }: { name: string }) => name === "write_file"));
  const written = await server.call("write_file", { root: "root", path: "b.txt", content: "b" });
  assertEquals([written.isError, started.folder.read("root/b.txt")], [false, "b"]);
  assertEquals(await server.end(), 0);
  assertEquals(totals(server.log), { requests: 3, errors: 0 });
});

Deno.test("test_run_multiple_requests_sequential: five requests at once take effect in order and are counted", async () => {
  await using started = start();
  const { server } = started;
  const ids = [1, 2, 3, 4, 5];
  const append = (id: number) => {
    const args = { root: "root", path: "log.txt", content: `${id}`, mode: "append" };
    return JSON.stringify({ ...readCall(id), params: { name: "write_file", arguments: args } });
  };
  await server.sendRaw(ids.map((id) => append(id) + "\n").join(""));
  assertEquals(await server.end(), 0);
  assertEquals(server.lines.map((line) => JSON.parse(line).id), ids);
  assertEquals(started.folder.read("root/log.txt"), "12345");
  assertEquals(totals(server.log), { requests: 5, errors: 0 });
});

Deno.test("test_run_overhead_within_target: a simple call is right, and logged with its duration", async () => {
  await using started = start();
  const { server } = started;
  assertEquals((await server.call("stat_file", { root: "root", path: "a.txt" })).value.size, 16);
  await server.logged('"tool_call"');
  const [line] = linesOf(server.log, "tool_call");
  assertEquals([line?.tool, line?.outcome, line?.request_id], ["stat_file", "success", 1]);
  assert(typeof line?.duration_ms === "number" && line.duration_ms > 0);
});

Deno.test("test_run_large_payload_rejected: a line of 11 MB gets a short error with its id, the server continues", async () => {
  await using started = start();
  const { server } = started;
  const answer = server.answerTo("large");
  const call = { ...readCall(0), id: "large", params: { name: "write_file", arguments: {} } };
  await server.send({ ...call, params: { ...call.params, content: "x".repeat(11 * 1024 * 1024) } });
  const { error } = await answer;
  assertEquals(error?.code, -32600);
  assertStringIncludes(error?.message ?? "", "Request too large");
  assertLess(server.lines[0]?.length ?? Infinity, 1024);
  assertEquals((await server.call("read_file", { root: "root", path: "a.txt" })).isError, false);
});

Deno.test({
  ...onLinux("test_run_memory_usage_stable: eight thousand more requests do not need 50 MB more"),
  fn: async () => {
    await using started = start({ args: ["--log-level=warn"] });
    const { server } = started;
    const send = async (from: number, to: number) => {
      for (let id = from; id < to; id += 100) {
        const ids = Array.from({ length: 100 }, (_, i) => id + i);
        const answers = ids.map((each) => server.answerTo(each));
        await server.sendRaw(ids.map((each) => JSON.stringify(readCall(each)) + "\n").join(""));
        await Promise.all(answers);
      }
      return memoryOf(server.pid, "VmRSS");
    };
    const before = await send(0, 5_000); // by then the engine's heap has reached its working size
    const after = await send(5_000, 13_000);
    assertLess(after - before, 50 * 1024 * 1024);
  },
});
