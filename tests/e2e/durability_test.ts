// What the server guarantees for a write: never torn, never lost, whoever else writes and whenever it is killed.
import { assert, assertEquals } from "@std/assert";
import { isTempName } from "../../src/confine/path_rules.ts";
import { numberedContent, numberOf, OVERWRITER } from "../support/overwriter.ts";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

const SERVERS = 4;
const LINES = 100;
const FLAGS = ["--log-level=error", "--timeout=120"];

/** The name of the root that a folder is served as. */
const rootOf = (folder: TempFolder) => folder.path.slice(folder.path.lastIndexOf("/") + 1);

Deno.test("write_file from four servers at once keeps every line exactly once, and every content whole", async () => {
  using folder = tempFolder();
  const root = rootOf(folder);
  await using stack = new AsyncDisposableStack();
  const servers = Array.from({ length: SERVERS }, () => stack.use(new TestServer([folder.path, ...FLAGS])));
  await Promise.all(servers.map((server) => server.initialize()));
  const line = (s: number, i: number) => `server ${s} line ${i} ${"x".repeat(i * 5)}.`;
  const calls = servers.flatMap((server, s) => {
    const write = (path: string, content: string, mode: string) =>
      server.call("write_file", { root, path, content, mode });
    return Array.from({ length: LINES }, (_, i) => {
      const appended = write("lines.txt", `${line(s, i)}\n`, "append");
      if (i % 4 === 0) return [appended, write(`own-${s}.txt`, numberedContent(`own ${s}`, i), "overwrite")];
      if (i % 4 === 1) return [appended, write("shared.txt", numberedContent(`s${s}`, i), "overwrite")];
      if (i % 4 === 2) return [appended, write(`log-${s}.txt`, `${i}\n`, "append")];
      return [appended];
    }).flat();
  });
  for (const { isError, text } of await Promise.all(calls)) assert(!isError, text);
  const lines = folder.read("lines.txt").split("\n");
  assertEquals(lines.pop(), "");
  for (let s = 0; s < SERVERS; s++) {
    const own = lines.filter((text) => text.startsWith(`server ${s} `));
    assertEquals(own, Array.from({ length: LINES }, (_, i) => line(s, i)));
    assert(folder.read(`own-${s}.txt`) === numberedContent(`own ${s}`, 96));
    assertEquals(folder.read(`log-${s}.txt`).split("\n").length - 1, LINES / 4);
  }
  assertEquals(lines.length, SERVERS * LINES);
  const [, tag = ""] = folder.read("shared.txt").split(" ");
  assertEquals(numberOf(tag, folder.read("shared.txt")), 97); // the last of one of them
  assertEquals(folder.names().filter(isTempName), []);
});

/** A process that overwrites one file again and again, to be killed. */
interface Writer extends AsyncDisposable {
  /** Resolves with the first acknowledgement. */
  first: Promise<unknown>;
  /** Kills it, and returns the numbers of the last acknowledged write and the last one sent. */
  kill(): Promise<{ acknowledged: number; sent: number }>;
}

/** The real server, over stdio with four calls in flight. */
function serverWriter(folder: TempFolder, { file, tag }: { file: string; tag: string }): Writer {
  const server = new TestServer([folder.path, ...FLAGS]);
  const first = Promise.withResolvers<unknown>();
  const ended = server.status;
  const root = rootOf(folder);
  let sent = -1;
  const lane = async () => {
    for (let alive = true; alive;) {
      const number = ++sent;
      const args = { root, path: file, content: numberedContent(tag, number) };
      const answer = server.request("tools/call", { name: "write_file", arguments: args }, `write ${number}`);
      alive = await Promise.race([answer.then(() => true), ended.then(() => false)]).catch(() => false);
      first.resolve(alive);
    }
  };
  const running = server.initialize().then(() => Promise.all([lane(), lane(), lane(), lane()]));
  return {
    first: first.promise,
    async kill() {
      server.kill("SIGKILL");
      await server.exit();
      await running;
      const answers = server.lines.map((text) => JSON.parse(text)).filter(({ id }) => typeof id === "string");
      for (const { error, result } of answers) assert(error === undefined && !result.isError, server.log);
      const numbers = answers.map(({ id }) => Number(id.slice("write ".length)));
      return { acknowledged: Math.max(...numbers), sent };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The engine alone: a smaller program, which starts and dies faster. */
function engineWriter(folder: TempFolder, { file, tag }: { file: string; tag: string }): Writer {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", OVERWRITER, folder.path, file, "100000", tag],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const first = Promise.withResolvers<unknown>();
  let said = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      first.resolve(true);
    }
    first.resolve(false);
  })();
  return {
    first: first.promise,
    async kill() {
      child.kill("SIGKILL");
      await Promise.all([child.status, reading]);
      const numbers = said.slice(0, said.lastIndexOf("\n")).split("\n").map(Number);
      const acknowledged = numbers.at(-1) ?? NaN;
      return { acknowledged, sent: acknowledged + 1 };
    },
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch { /* it has ended already */ }
      await Promise.all([child.status, reading]);
    },
  };
}

/** Two at a time in one folder, each killed at some moment within 25 ms of its first acknowledged write. */
async function killAndLook(start: typeof serverWriter, rounds: number): Promise<void> {
  using folder = tempFolder();
  let round = 0;
  const lane = async (file: string) => {
    while (round < rounds) {
      const tag = `round-${round++}`;
      await using writer = start(folder, { file, tag });
      assertEquals(await writer.first, true);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
      const { acknowledged, sent } = await writer.kill();
      const found = numberOf(tag, folder.read(file)); // throws unless it is one of the contents, whole
      assert(found >= acknowledged, `${tag}: ${acknowledged} was acknowledged, but ${found} is there`);
      assert(found <= sent, `${tag}: ${found} was never sent`);
    }
  };
  await Promise.all([lane("a.txt"), lane("b.txt")]);
  await using server = new TestServer([folder.path, ...FLAGS]);
  await server.initialize();
  const last = await server.call("write_file", { root: rootOf(folder), path: "last.txt", content: "x" });
  assert(!last.isError, last.text);
  assertEquals(folder.names(), ["a.txt", "b.txt", "last.txt"]);
}

Deno.test("write_file leaves a whole, acknowledged content when the server is killed, 10 times", async () => {
  await killAndLook(serverWriter, 10);
});

Deno.test("writeText leaves a whole, acknowledged content when its process is killed, 40 times", async () => {
  await killAndLook(engineWriter, 40);
});
