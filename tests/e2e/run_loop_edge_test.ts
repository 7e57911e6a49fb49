/** The run loop's eight edge cases, under the names they have in its specification. */
import { assert, assertEquals, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { RunLoop } from "../../src/server/lifecycle.ts";
import { onLinux, onUnix } from "../support/needs.ts";
import { linesOf, memoryOf, totals } from "../support/run_log.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import { runningToy, toyCall, toyServer } from "../support/toy_server.ts";

const MB = 1024 * 1024;

Deno.test("Edge Case 1 (No Tools Registered): run fails with the words of the specification", async () => {
  const { log, stats, listener, logLines } = toyServer();
  const loop = new RunLoop({ log, stats, toolNames: [] });
  const { message } = await assertRejects(() => loop.run(listener), Error);
  assertEquals(
    message,
    "Cannot start server with zero tools registered. Call register_all_tools() or register_tool() first.",
  );
  assertEquals(logLines.some(({ event }) => event === "server_starting"), false);
});

Deno.test({
  ...onUnix(
    "Edge Case 2 (stdin Closes Immediately): an empty line and the end of input are a clean, empty run",
  ),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--log-format=json", folder.path], { shell: 'echo "" | $SERVER' });
    assertEquals(await server.exit(), 0);
    assertEquals(server.lines, []);
    assertEquals(linesOf(server.log, "server_starting").length, 1);
    assertEquals(linesOf(server.log, "server_stopping")[0]?.reason, "the input ended");
    assertEquals(totals(server.log), { requests: 0, errors: 0 });
  },
});

Deno.test("Edge Case 3 (Server Already Running): the second of two concurrent runs fails, the counts stay right", async () => {
  const { loop, listener, input, output, stats, logLines, ended } = runningToy();
  input.send(toyCall(1, "echo"));
  await output.answerTo(1);
  const [second, third] = await Promise.allSettled([loop.run(listener), loop.run(listener)]);
  assertEquals([second.status, third.status], ["rejected", "rejected"]);
  assertEquals(loop.state, "running");
  input.send(toyCall(2, "echo"));
  await output.answerTo(2);
  input.end();
  await ended;
  const { requests, errors } = stats.snapshot();
  assertEquals({ requests, errors }, { requests: 2, errors: 0 });
  assertEquals(logLines.filter(({ event }) => event === "server_stopped").length, 1);
});

/** A server in the middle of reading a file of this many bytes, all of them zero. */
async function reading(size: number) {
  const folder = tempFolder();
  Deno.writeFileSync(`${folder.path}/zeros`, new Uint8Array());
  Deno.truncateSync(`${folder.path}/zeros`, size);
  const server = new TestServer(["--log-format=json", "--timeout=60", folder.path]);
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const params = { name: "read_file", arguments: { root, path: "zeros", offset_lines: 2 } };
  await server.send({ jsonrpc: "2.0", id: "slow", method: "tools/call", params });
  await server.request("ping"); // answered while the call is in progress
  return {
    server,
    answers: () => server.lines.map((line) => JSON.parse(line).id).filter((id) => id === "slow").length,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test({
    ...onUnix(
      `Edge Case 4 (SIGINT During Request Processing): a call in flight is answered before ${signal} ends it`,
    ),
    fn: async () => {
      await using slow = await reading(32 * MB);
      slow.server.kill(signal);
      assertEquals(await slow.server.exit(), 0);
      assertEquals(linesOf(slow.server.log, "server_stopping")[0]?.reason, signal);
      assertEquals(slow.answers(), 1);
      assertEquals(totals(slow.server.log).requests, 2);
    },
  });
}

Deno.test({
  ...onUnix(
    "Edge Case 4 (SIGINT During Request Processing): a call that takes too long ends with the server, and is told so",
  ),
  fn: async () => {
    await using slow = await reading(16 * 1024 * MB);
    slow.server.kill("SIGTERM");
    slow.server.kill("SIGINT");
    assertEquals(await slow.server.exit(), 0);
    assertEquals(slow.answers(), 1);
    assertStringIncludes(slow.server.lines.at(-1) ?? "", "the server is stopping");
    assertEquals(linesOf(slow.server.log, "tool_call")[0]?.outcome, "cancelled");
    assertEquals(totals(slow.server.log), { requests: 2, errors: 1 });
  },
});

Deno.test("Edge Case 5 (Unhandled Exception in Tool Execution): logged with its stack, counted, answered, survived", async () => {
  const { input, output, loop, stats, logLines, ended } = runningToy();
  input.send(toyCall(123, "buggy"));
  const { result } = await output.answerTo(123);
  assertEquals(result.isError, true);
  assertStringIncludes(result.content[0].text, "internal error in buggy");
  const error = logLines.find(({ event }) => event === "tool_error");
  assertEquals([error?.level, error?.tool, error?.request_id, error?.error], [
    "error",
    "buggy",
    123,
    "RangeError: Unexpected bug!",
  ]);
  assertStringIncludes(String(error?.stack), "toy_server.ts");
  assertEquals([stats.snapshot().errors, loop.state], [1, "running"]);
  input.send(toyCall(124, "echo", "next"));
  assertEquals((await output.answerTo(124)).result.content[0].text, "next");
  input.end();
  await ended;
});

Deno.test({
  ...onUnix(
    "Edge Case 6 (stdout Write Fails): the server counts it, says so, and exits normally with its input open",
  ),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--log-format=json", folder.path], {
      shell: '{ $SERVER; echo "exit code $?" >&2; } | true',
    });
    await server.logged("server_starting");
    await server.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await server.exit();
    assertStringIncludes(server.log, "exit code 0");
    assertEquals(linesOf(server.log, "connection_error")[0]?.error, "Failed to write response: BrokenPipe");
    assertEquals(linesOf(server.log, "server_stopping")[0]?.reason, "the client closed the output");
    assertEquals(totals(server.log), { requests: 1, errors: 1 });
  },
});

Deno.test("Edge Case 7 (Core Engine Becomes Unavailable): a root that is gone is an error, the other works, and it may come back", async () => {
  using folder = tempFolder();
  folder.write("one/a.txt", "one");
  folder.write("two/a.txt", "two");
  await using server = new TestServer([`${folder.path}/one`, `${folder.path}/two`]);
  const read = (root: string) => server.call("read_file", { root, path: "a.txt" });
  assertEquals((await read("one")).text, "one");
  Deno.renameSync(`${folder.path}/one`, `${folder.path}/gone`);
  const failed = await read("one");
  assert(failed.isError);
  assertEquals(failed.text.includes(folder.path), false);
  assertEquals((await server.call("write_file", { root: "one", path: "b.txt", content: "" })).isError, true);
  assertEquals((await read("two")).text, "two");
  folder.write("one/a.txt", "back");
  assertEquals((await read("one")).text, "back");
  assertEquals(await server.end(), 0);
});

Deno.test({
  ...onLinux(
    "Edge Case 8 (Very Large Request Payload): 100 MB get a short error with the id, are not kept, and the server continues",
  ),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer([folder.path]);
    await server.initialize();
    await server.request("tools/list"); // everything is loaded now
    const before = memoryOf(server.pid, "VmHWM");
    const answer = server.answerTo(77);
    await server.sendRaw('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write_file","content":"');
    const piece = "x".repeat(10_000_000);
    for (let i = 0; i < 10; i++) await server.sendRaw(piece);
    await server.sendRaw('"},"id":77}\n');
    const { error } = await answer;
    assertEquals(error?.code, -32600);
    assertStringIncludes(error?.message ?? "", "Request too large");
    assertLess(server.lines.at(-1)?.length ?? Infinity, 1024);
    assertLess(memoryOf(server.pid, "VmHWM") - before, 90 * MB);
    assertEquals((await server.call("list_roots")).isError, false);
    assertEquals(await server.end(), 0);
  },
});
