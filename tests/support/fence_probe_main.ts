/**
 * Starts the fence probe as host.ts starts the server: with the permissions that plan.ts gives a server of the
 * folder, over stdio and over http, with those of a search worker, and once with all permissions. Prints what each
 * could do, as JSON. Arguments: the folder inside, the folder outside.
 */
import type { Config } from "../../src/base/config.ts";
import { permissionsFor, searchPermissionsOf } from "../../src/sandbox/plan.ts";
import type { Attempts, ProbeTask } from "./fence_probe_task.ts";

const [inside = "", outside = ""] = Deno.args;

const config: Config = {
  surface: {
    kind: "roots",
    roots: [{ name: "inside", path: inside, allowedTools: ["*"], protectGit: true }],
    maxFullReadSize: 1_048_576,
  },
  transport: { kind: "stdio" },
  maxSize: 10_485_760,
  timeoutMs: 10_000,
  readOnly: false,
  sandbox: true,
  logFormat: "text",
  logLevel: "info",
  callLogLevel: "info",
  configPath: undefined,
  host: { users: [], groups: [], umask: 0o022 },
};

function probe(permissions: Deno.PermissionOptions, task: ProbeTask): Promise<Attempts> {
  const worker = new Worker(new URL("./fence_probe.ts", import.meta.url), {
    type: "module",
    name: "paddock",
    deno: { permissions },
  });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Attempts>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(task);
  });
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return listener.addr.port;
}

Deno.env.set("PADDOCK_PROBE_SECRET", "secret");
const neighbour = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  () => new Response("hi"),
);
const ownPort = freePort();
const task = { inside, outside, port: neighbour.addr.port, ownPort, secret: "PADDOCK_PROBE_SECRET" };
const http: Config = {
  ...config,
  transport: {
    kind: "http",
    host: "127.0.0.1",
    port: ownPort,
    allowedHosts: [],
    corsOrigins: [],
    token: undefined,
  },
};
const outcomes = {
  open: await probe("inherit", task),
  stdio: await probe(permissionsFor(config), task),
  http: await probe(permissionsFor(http), task),
  search: await probe(searchPermissionsOf(permissionsFor(http)), task),
};
console.log(JSON.stringify(outcomes));
Deno.exit(0);
