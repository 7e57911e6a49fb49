/** Long searches in the real process: who does the work, and what else happens meanwhile. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { hardLine } from "../engine/search/support.ts";
import { eventsIn, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { onLinux } from "../support/needs.ts";
import { type Message, REPOSITORY, TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

const HARD = "(a|b)*a(a|b){999}$";

/** Files that take ages with HARD, below `hard`, files that take a moment each, below `slow`, and easy ones. */
function searchFolder(): TempFolder & { root: string } {
  const folder = tempFolder();
  for (let i = 0; i < 12; i++) folder.write(`hard/${i}`, hardLine(300_000));
  for (let i = 0; i < 400; i++) folder.write(`slow/${i}`, unmatched(hardLine(2_000)));
  for (let i = 0; i < 30; i++) folder.write(`easy/${i % 3}/${i}.txt`, `one\ntwo ${i}\n`);
  return { ...folder, root: folder.path.slice(folder.path.lastIndexOf("/") + 1) };
}

/** The line without a match of HARD: a search of many would end early, with as many matches as it may give. */
function unmatched(line: Uint8Array): Uint8Array {
  return line.with(-1_000, "b".charCodeAt(0));
}

/** How many threads of a process run a Worker: one for the fenced server, and one for each search worker. */
function workerThreads(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].filter(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/task/${name}/comm`).startsWith("worker-");
    } catch {
      return false; // it has ended
    }
  }).length;
}

const CORES = Math.min(navigator.hardwareConcurrency, 16);

for (const [flags, own] of [[[], 1], [["--no-sandbox"], 0]] as const) {
  Deno.test({
    ...onLinux(
      `search workers do the hard work of ${
        ["a fenced server", ...flags].join(" with ")
      }, and the rest goes on`,
    ),
    async fn() {
      using folder = searchFolder();
      await using server = new TestServer([...flags, folder.path]);
      await server.initialize();
      const { root } = folder;
      // A thread of the runtime itself has the name of the thread that started it until it gets its own.
      assertEquals(await eventually(() => workerThreads(server.pid), (count) => count === own), own);
      const hard = { name: "grep", arguments: { root, path: "hard", pattern: HARD } };
      for (let id = 100; id < 104; id++) {
        void server.request("tools/call", hard, id); // never answered: cancelled below
      }
      await eventually(() => workerThreads(server.pid), (count) => count === own + CORES);
      assertEquals((await server.request("ping")).error, undefined);
      const meanwhile = await Promise.all(
        Array.from(
          { length: 6 },
          (_, i) => server.call("grep", { root, path: "easy", pattern: `two ${i}$` }),
        ),
      );
      assertEquals(meanwhile.map(({ value }) => value.total_matches), Array(6).fill(1));
      if (own === 1) {
        const timedOut = await server.call("grep", { root, path: "hard", pattern: HARD, timeout_seconds: 1 });
        assertEquals([timedOut.isError, timedOut.value.timed_out], [false, true]);
      }
      for (let requestId = 100; requestId < 104; requestId++) {
        await server.notify("notifications/cancelled", { requestId });
      }
      assertEquals(await server.end(), 0); // which waits for calls that are not cancelled
      assert(!server.lines.some((line) => line.includes(`"id":10`)), "a cancelled call was answered");
    },
  });
}

Deno.test("a server stops at a signal while search workers are busy, and works without them where they cannot run", async () => {
  using folder = searchFolder();
  const { root } = folder;
  const narrow = [`--allow-read=${folder.path}`, `--allow-write=${folder.path}`, "--no-prompt"];
  await using server = new TestServer([folder.path], {
    command: [Deno.execPath(), "run", ...narrow, `${REPOSITORY}main.ts`],
  });
  await using fenced = new TestServer([folder.path]);
  await server.initialize();
  const call = server.call("grep", { root, path: "hard", pattern: HARD, timeout_seconds: 1 });
  assertEquals((await server.request("ping")).error, undefined);
  assertEquals((await call).value.timed_out, true);
  await fenced.initialize();
  void fenced.request("tools/call", { name: "grep", arguments: { root, path: "hard", pattern: HARD } });
  assertEquals((await fenced.request("ping")).error, undefined);
  fenced.kill("SIGTERM");
  assertEquals(await fenced.exit(), 0);
});

Deno.test("grep reports its progress to a client that asks for it, over stdio and over http", async () => {
  using folder = searchFolder();
  const { root } = folder;
  const params = {
    name: "grep",
    arguments: { root, path: "slow", pattern: HARD },
    _meta: { progressToken: "mine" },
  };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  await using server = new TestServer([folder.path]);
  await server.initialize();
  await server.send({ ...call, id: 100 });
  assertTold(await server.next());
  server.kill("SIGTERM");

  await using http = await HttpServer.start([folder.path]);
  const client = await SessionClient.begin(http.url);
  const { body } = await client.send(call);
  assert(body !== null);
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [first] = eventsIn(text);
    if (first === undefined) continue;
    assertTold(first);
    break;
  }
});

function assertTold({ method, params }: Message): void {
  assertEquals([method, params.progressToken], ["notifications/progress", "mine"]);
  assertMatch(params.message, /^\d+ files searched, \d+ matches$/);
}
