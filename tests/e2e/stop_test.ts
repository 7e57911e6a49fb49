/** How a server over stdio stops: every call that reached it gets an answer, and no line is cut. */
import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { onUnix } from "../support/needs.ts";
import { linesOf, totals } from "../support/run_log.ts";
import { commandWithoutLibraries, type Message, serverCommand } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** A server whose standard output is read only on demand. */
class Quiet implements AsyncDisposable {
  readonly folder = tempFolder();
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #logging: Promise<void>;
  readonly #output: ReadableStreamDefaultReader<string>;
  readonly root = this.folder.path.slice(this.folder.path.lastIndexOf("/") + 1);
  log = "";

  constructor(commandFor = serverCommand) {
    const [file = "", ...rest] = commandFor(["--log-format=json", this.folder.path]);
    const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    this.#child = new Deno.Command(file, { args: rest, ...streams, env: { NO_COLOR: "1" } }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#logging = this.#readLog();
  }

  /** How many calls it has logged so far. */
  get calls(): number {
    return this.log.split('"tool_call"').length - 1;
  }

  read(id: number, path: string): string {
    const params = { name: "read_file", arguments: { root: this.root, path } };
    return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }) + "\n";
  }

  /** False if it has ended. */
  async send(text: string): Promise<boolean> {
    return await this.#input.write(new TextEncoder().encode(text)).then(() => true, () => false);
  }

  /** The next part of its output. */
  async said(): Promise<string> {
    return (await this.#output.read()).value ?? "";
  }

  async #readLog(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.log += text;
  }

  /** Tells it to stop; returns how it ended, and all output that was not read yet. */
  async stop(): Promise<{ status: Deno.CommandStatus; output: string }> {
    this.#child.kill("SIGTERM");
    const status = await this.#child.status;
    await this.#input.close().catch(() => {});
    let output = "";
    for (let part = await this.said(); part !== ""; part = await this.said()) output += part;
    await this.#logging;
    return { status, output };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch { /* it has ended */ }
    await this.#child.status;
    await this.#logging;
    await this.#input.close().catch(() => {});
    await this.#output.cancel();
    this.folder[Symbol.dispose]();
  }
}

/** Every line of the output; fails if the last one is incomplete. */
function messagesIn(output: string): Message[] {
  const lines = output.split("\n");
  assertEquals(lines.pop(), "");
  return lines.map((line) => JSON.parse(line));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One start with calls in its first moments and a signal among them. `greeted` waits for the answer to initialize,
 * which is sent before the rest of the server is loaded. Undefined if the signal came before the program had started,
 * so that the system ended it.
 */
async function stoppedEarly(how: { greeted: boolean; atOnce: boolean; afterMs: number }) {
  await using server = new Quiet();
  server.folder.write("a.txt", "a");
  const calls = [1, 2, 3, 4, 5].map((id) => server.read(id, "a.txt"));
  await server.send(JSON.stringify(INITIALIZE) + "\n");
  let heard = how.greeted ? await server.said() : "";
  if (how.atOnce) await server.send(calls.join(""));
  else for (const call of calls) await server.send(call);
  await pause(how.afterMs);
  const { status, output } = await server.stop();
  heard += output;
  if (status.signal !== null) return assertEquals(heard, "");
  assertEquals(status.code, 0);
  assertEquals(linesOf(server.log, "server_stopped").length, 1);
  return { answers: messagesIn(heard), log: server.log };
}

Deno.test({
  ...onUnix(
    "SIGTERM in the first moments of a server leaves no call that was sent before it without an answer",
  ),
  fn: async () => {
    const tries = Array.from({ length: 20 }, (_, i) => ({
      greeted: i % 4 !== 0,
      atOnce: i % 2 === 0,
      afterMs: Math.random() * (i % 4 === 0 ? 300 : 30),
    }));
    let ended = 0;
    const work = tries.values(); // shared by those who work on it in parallel
    const worker = async () => {
      for (const how of work) {
        const stopped = await stoppedEarly(how);
        if (stopped === undefined) continue;
        ended++;
        const { answers, log } = stopped;
        const ids = answers.map(({ id }) => Number(id)).sort();
        assertEquals(ids, [0, 1, 2, 3, 4, 5], `${JSON.stringify(how)}\n${log}`);
        for (const { error } of answers) {
          if (error !== undefined) assertStringIncludes(error.message, "the server is stopping");
        }
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    assertGreater(ended, 10);
  },
});

Deno.test({
  ...onUnix("SIGTERM ends a server whose client does not read: it logs its end, and no line is cut"),
  fn: async () => {
    await using server = new Quiet();
    server.folder.write("a.txt", "x".repeat(1_000));
    await server.send(Array.from({ length: 400 }, (_, id) => server.read(id, "a.txt")).join(""));
    while (server.calls < 50) await pause(20);
    const { status, output } = await server.stop();
    assertEquals(status.code, 0);
    assertGreater(messagesIn(output).length, 10);
    assert(server.log.endsWith("\n"));
    assertEquals(linesOf(server.log, "server_stopped").length, 1);
  },
});

Deno.test({
  ...onUnix(
    "SIGTERM ends a server that hangs in a write because its client never reads: it still logs its end",
  ),
  fn: async () => {
    await using server = new Quiet(commandWithoutLibraries); // with them it knows how much room the pipe has
    server.folder.write("a.txt", "x".repeat(1_500)); // its answer is written at once, by the server's own thread
    await server.send(server.read(0, "a.txt"));
    while (server.calls === 0) await pause(20);
    let sent = 1;
    for (let waited = 0; waited < 50; sent++) {
      await server.send(server.read(sent, "a.txt"));
      for (waited = 0; waited < 50 && server.calls <= sent; waited++) await pause(10);
    }
    const { status, output } = await server.stop();
    assertEquals(status.code, 0);
    messagesIn(output);
    assert(server.log.endsWith("\n"));
    assertEquals(linesOf(server.log, "server_stopped").length, 1);
    assert(Number(totals(server.log).requests) >= sent - 1);
  },
});

Deno.test({
  ...onUnix("SIGTERM ends a server whose log nobody reads, even if main has a line for it too"),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "a");
    const [file = "", ...args] = serverCommand([folder.path]);
    const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command(file, { args, ...streams, env: { NO_COLOR: "1" } }).spawn();
    const input = child.stdin.getWriter();
    const params = { name: "read_file", arguments: { root: "x".repeat(1_000), path: "a.txt" } };
    const calls = Array.from(
      { length: 200 },
      (_, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }),
    );
    await input.write(new TextEncoder().encode(calls.map((call) => JSON.stringify(call) + "\n").join("")));
    let answers = 0; // each is logged, with the root's name, before it is sent
    const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    while (answers < calls.length) answers += ((await output.read()).value ?? "").split("\n").length - 1;
    child.kill("SIGHUP"); // which main refuses, in a separate line
    await pause(100);
    child.kill("SIGTERM");
    const ended = await Promise.race([child.status.then(({ code }) => code), pause(20_000)]);
    if (ended === undefined) child.kill("SIGKILL");
    await Promise.all([child.status, input.close().catch(() => {}), output.cancel(), child.stderr.cancel()]);
    assertEquals(ended, 0);
  },
});
