// Calls per second over HTTP and over stdio, one after the other and 16 at once. Over HTTP the official server
// does not speak; there paddock is held against a bare Deno.serve that answers with as many bytes and does nothing.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import { HttpClient } from "../http_client.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";

const CALLS = 1_000;
const AT_ONCE = 16;
const FILE = "small.txt";
const TEXT = sampleText(1024);
const ECHO = join(import.meta.dirname ?? ".", "..", "echo_server.ts");

export const http: Scenario = {
  name: "http",
  rounds: 5,
  rows: [
    { key: "httpOne", label: "HTTP, one by one", unit: "calls/s" },
    { key: "httpMany", label: "HTTP, 16 at once", unit: "calls/s" },
    { key: "stdioOne", label: "stdio, one by one", unit: "calls/s" },
    { key: "stdioMany", label: "stdio, 16 at once", unit: "calls/s" },
  ],
  note: "reads of 1 KiB; more is better; over HTTP the peer is a bare Deno.serve, which reads no file at all",
  prepare(dir) {
    Deno.writeTextFileSync(join(dir, FILE), TEXT);
  },
  async verify(session) {
    const call = session.server.read({ dir: session.dir, path: FILE });
    const texts = [
      await (await session.client()).callTool(call),
      await (await overHttp(session)).call(call, { times: AT_ONCE, atOnce: AT_ONCE }),
    ];
    if (texts.some((text) => text !== TEXT)) throw new Error(`${session.server.name} gave another text`);
  },
  async round(session) {
    const call = session.server.read({ dir: session.dir, path: FILE });
    const [client, web] = [await session.client(), await overHttp(session)];
    return {
      httpOne: await perSecond(() => web.call(call, { times: CALLS, atOnce: 1 })),
      httpMany: await perSecond(() => web.call(call, { times: CALLS, atOnce: AT_ONCE })),
      stdioOne: await perSecond(async () => {
        for (let i = 0; i < CALLS; i++) await client.callTool(call);
      }),
      stdioMany: await perSecond(async () => {
        let left = CALLS;
        await Promise.all(Array.from({ length: AT_ONCE }, async () => {
          while (left-- > 0) await client.callTool(call);
        }));
      }),
    };
  },
};

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return CALLS / (performance.now() - start) * 1_000;
}

/** paddock over HTTP, or the echo in its peer's place; kept over the rounds. */
function overHttp(session: Session): Promise<HttpClient> {
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
