/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Runs inside the fence instead of the server and tries to leave it, one way after the other. The outcome of each
 * attempt is posted back: "ok", or the name of the error.
 */
import type { Attempts, ProbeTask } from "./fence_probe_task.ts";

async function attempt(body: () => unknown): Promise<string> {
  try {
    await body();
    return "ok";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

const READS_OUTSIDE = "data:application/javascript,postMessage(Deno.readTextFileSync('/etc/passwd').length)";

/** A Worker inside the Worker, which has to report back. */
function nestedWorker(source: string, permissions: Deno.PermissionOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(source, { type: "module", deno: { permissions } });
    worker.onmessage = () => resolve();
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Deno.errors.NotCapable(event.message));
    };
  });
}

function connectByNode(net: typeof import("node:net"), port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => (socket.destroy(), resolve()));
    socket.on("error", reject);
  });
}

async function runAll({ inside, outside, port, ownPort, secret }: ProbeTask): Promise<Attempts> {
  const fs = await import("node:fs");
  const childProcess = await import("node:child_process");
  const net = await import("node:net");
  const ways: Record<string, () => unknown> = {
    "inside: read": () => Deno.readTextFileSync(`${inside}/a.txt`),
    "inside: write": () => Deno.writeTextFileSync(`${inside}/b.txt`, "b"),
    "inside: node:fs read": () => fs.readFileSync(`${inside}/a.txt`),
    "read: Deno.readTextFile": () => Deno.readTextFile("/etc/hostname"),
    "read: Deno.open": async () => (await Deno.open("/etc/hostname")).close(),
    "read: Deno.stat": () => Deno.stat("/etc/hostname"),
    "read: Deno.readDir": async () => await Array.fromAsync(Deno.readDir("/etc")),
    "read: node:fs readFileSync": () => fs.readFileSync("/etc/hostname"),
    "read: node:fs promises": () => fs.promises.readFile("/etc/hostname"),
    "read: /proc/self": () => Deno.readTextFile("/proc/self/environ"),
    "read: sibling": () => Deno.readTextFile(`${outside}/secret.txt`),
    "read: by ..": () => Deno.readTextFile(`${inside}/../${outside.split("/").at(-1)}/secret.txt`),
    "read: fetch file:": async () => (await fetch(`file://${outside}/secret.txt`)).text(),
    "write: sibling": () => Deno.writeTextFile(`${outside}/new.txt`, "x"),
    "write: node:fs": () => fs.writeFileSync(`${outside}/new2.txt`, "x"),
    "write: rename out": () => Deno.rename(`${inside}/c.txt`, `${outside}/c.txt`),
    "write: link in": () => Deno.link(`${outside}/secret.txt`, `${inside}/linked.txt`),
    "write: symlink": () => Deno.symlink("/etc", `${inside}/etc`),
    "write: node:fs symlink": () => fs.symlinkSync("/etc", `${inside}/etc2`),
    "write: temp file": async () => Deno.remove(await Deno.makeTempFile()),
    "run: Deno.Command": () => new Deno.Command("true").output(),
    "run: node:child_process": () => {
      const { error } = childProcess.spawnSync("true");
      if (error !== undefined) throw error;
    },
    "run: signal to another process": () => Deno.kill(Deno.ppid, "SIGCONT"),
    "env: Deno.env.get": () => Deno.env.get(secret),
    "env: Deno.env.toObject": () => Deno.env.toObject(),
    "env: process.env": () => {
      if (globalThis.process.env[secret] === undefined) throw new Deno.errors.NotFound();
    },
    "net: Deno.connect": async () => (await Deno.connect({ hostname: "127.0.0.1", port })).close(),
    "net: fetch": async () => (await fetch(`http://127.0.0.1:${port}/`)).text(),
    "net: node:net": () => connectByNode(net, port),
    "net: listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    "own: listen": () => Deno.listen({ hostname: "127.0.0.1", port: ownPort }).close(),
    "ffi: Deno.dlopen": () => Deno.dlopen("libc.so.6", {}).close(),
    "sys: hostname": () => Deno.hostname(),
    "sys: uid": () => Deno.uid(),
    "sys: umask": () => Deno.umask(),
    "sys: chdir": () => Deno.chdir("/"),
    "import: outside file": () => import(`file://${outside}/module.js`),
    "import: data: URL that reads": () =>
      import("data:application/javascript,Deno.readTextFileSync('/etc/passwd')"),
    "worker: outside file": () => nestedWorker(`file://${outside}/worker.js`, "inherit"),
    "worker: inherits": () => nestedWorker(READS_OUTSIDE, "inherit"),
    "worker: asks for more": () => nestedWorker(READS_OUTSIDE, { read: true }),
    "permissions: request": async () => {
      const { state } = await Deno.permissions.request({ name: "read" });
      if (state !== "granted") throw new Deno.errors.NotCapable();
    },
  };
  const outcomes = Object.entries(ways).map(async ([name, way]) => [name, await attempt(way)]);
  return Object.fromEntries(await Promise.all(outcomes));
}

self.onmessage = async ({ data }: MessageEvent<ProbeTask>) => self.postMessage(await runAll(data));
