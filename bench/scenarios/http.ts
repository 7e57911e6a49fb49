// The time of a call when there are many, over HTTP and over stdio, one by one and at once: a second divided
// by the number of calls in it. The official server has no HTTP; there paddock is compared with a bare Deno.serve
// that answers with the same bytes and does nothing.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import { HttpClient } from "../http_client.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";

const CALLS = 2_000;
const AT_ONCE = 16;
const STDIO_AT_ONCE = [16, 100] as const;
const FILE = "small.txt";
const TEXT = sampleText(1024);
const ECHO = join(import.meta.dirname ?? ".", "..", "echo_server.ts");

export const http: Scenario = {
  name: "http",
  rounds: 7,
  forAnyServer: true,
  rows: [
    { key: "httpOne", label: "a call over HTTP, one by one", unit: "µs" },
    { key: "httpMany", label: "a call over HTTP, 16 at once", unit: "µs", target: 1 / 0.35 },
    { key: "stdioOne", label: "a call over stdio, one by one", unit: "µs" },
    { key: "stdio16", label: "a call over stdio, 16 at once", unit: "µs" },
    { key: "stdio100", label: "a call over stdio, 100 at once", unit: "µs", target: 1 / 1.2 },
  ],
  note:
    "reads of 1 KiB; 0.83 is 1.2 times the peer's calls in a second, 2.86 is 0.35 times; over HTTP the peer is a bare " +
    "Deno.serve, which answers the same bytes and reads no file",
  prepare(dir) {
    Deno.writeTextFileSync(join(dir, FILE), TEXT);
  },
  async verify(session) {
    const call = session.server.read({ dir: session.dir, path: FILE });
    const web = await overHttp(session);
    const texts = [
      await (await session.client()).callTool(call),
      ...(web === undefined ? [] : [await web.call(call, { times: AT_ONCE, atOnce: AT_ONCE })]),
    ];
    if (texts.some((text) => text !== TEXT)) {
      throw new Error(`${session.server.name} returned a different text`);
    }
  },
  async round(session) {
    const call = session.server.read({ dir: session.dir, path: FILE });
    const [client, web] = [await session.client(), await overHttp(session)];
    const figures: Record<string, number> = {};
    if (web !== undefined) {
      figures.httpOne = await perCall(() => web.call(call, { times: CALLS, atOnce: 1 }));
      figures.httpMany = await perCall(() => web.call(call, { times: CALLS, atOnce: AT_ONCE }));
    }
    figures.stdioOne = await perCall(async () => {
      for (let i = 0; i < CALLS; i++) await client.callTool(call);
    });
    for (const atOnce of STDIO_AT_ONCE) {
      figures[`stdio${atOnce}`] = await perCall(async () => {
        let left = CALLS;
        await Promise.all(Array.from({ length: atOnce }, async () => {
          while (left-- > 0) await client.callTool(call);
        }));
      });
    }
    return figures;
  },
};

/** In microseconds. */
async function perCall(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1_000 / CALLS;
}

/** paddock over HTTP, or the echo server as its peer; kept over all rounds. */
function overHttp(session: Session): Promise<HttpClient> | undefined {
  if (session.server.side === "rust") return undefined;
  return session.kept("http", () => {
    const port = freePort();
    const { command, args } = session.server.launch(session.dir);
    const launch = session.server.side === "paddock"
      ? { command, args: [...args.slice(0, -1), "--transport=http", `--port=${port}`, ...args.slice(-1)] }
      : { command: Deno.execPath(), args: ["run", "-A", ECHO, String(port), TEXT] };
    return HttpClient.start(launch, { port, connections: AT_ONCE });
  });
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
