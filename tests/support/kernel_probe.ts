/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Runs instead of the server with all of Deno's permissions, so that only the kernel fence can stop it. The outcome
 * of each attempt is posted back: "ok", or the name of the error.
 */
import { raiseKernelFence } from "../../src/sandbox/kernel/raise.ts";
import type { KernelProbeAnswer, KernelProbeTask } from "./kernel_probe_task.ts";

async function attempt(body: () => unknown): Promise<string> {
  try {
    await body();
    return "ok";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

async function runAll(task: KernelProbeTask): Promise<KernelProbeAnswer> {
  const fs = await import("node:fs");
  const { spawnSync, execFileSync } = await import("node:child_process");
  const { fence, calls } = raiseKernelFence(task.plan, { keepPermissions: true });
  const { inside, outside, port, ownPort } = task;
  const listen = (port: number) => Deno.listen({ hostname: "127.0.0.1", port }).close();
  const ways: Record<string, () => unknown> = {
    "inside: read": () => Deno.readTextFileSync(`${inside}/a.txt`),
    "inside: list": () => [...Deno.readDirSync(inside)],
    "inside: write": () => Deno.writeTextFileSync(`${inside}/b.txt`, "b"),
    "inside: rename between folders": () => Deno.renameSync(`${inside}/c.txt`, `${inside}/d/c.txt`),
    "read: /etc/hostname": () => Deno.readTextFileSync("/etc/hostname"),
    "read: by node": () => fs.readFileSync("/etc/hostname"),
    "read: through a link": () => Deno.readTextFileSync(`${inside}/link/secret.txt`),
    "read: list": () => [...Deno.readDirSync(outside)],
    "read: by a call that was kept": () => {
      using folder = calls?.openFolder(outside);
      if (task.plan !== undefined && calls !== undefined && folder === undefined) {
        throw new Deno.errors.PermissionDenied();
      }
    },
    "write: temporary folder": () => Deno.removeSync(Deno.makeTempFileSync()),
    "write: through a link": () => Deno.writeTextFileSync(`${inside}/link/new.txt`, "x"),
    "write: rename out": () => Deno.renameSync(`${inside}/e.txt`, `${outside}/e.txt`),
    "write: rename in": () => Deno.renameSync(`${outside}/f.txt`, `${inside}/f.txt`),
    "write: link in": () => Deno.linkSync(`${outside}/secret.txt`, `${inside}/linked.txt`),
    "write: remove": () => Deno.removeSync(`${outside}/g.txt`),
    "write: folder": () => Deno.mkdirSync(`${outside}/h`),
    "write: empty": () => Deno.truncateSync(`${outside}/secret.txt`, 3),
    "write: exchange by a call that was kept": () => {
      if (calls === undefined) return;
      if (!calls.exchange(`${inside}/a.txt`, `${outside}/secret.txt`)) {
        throw new Deno.errors.PermissionDenied();
      }
    },
    "run: Deno.Command": () => new Deno.Command("/bin/true").outputSync(),
    "run: Deno.Command, spawned": async () => await new Deno.Command("/bin/true").spawn().status,
    "run: node's spawnSync": () => {
      if (spawnSync("/bin/true").status !== 0) throw new Deno.errors.PermissionDenied();
    },
    "run: node's execFileSync": () => void execFileSync("/bin/true"),
    "run: a file of our own": () => new Deno.Command(`${inside}/program`).outputSync(),
    "net: connect": async () => (await Deno.connect({ hostname: "127.0.0.1", port })).close(),
    "net: fetch": async () => await (await fetch(`http://127.0.0.1:${port}/`)).text(),
    "net: listen elsewhere": () => listen(0),
    "own: listen": () => listen(ownPort),
    "signal: another process": () => Deno.kill(Deno.ppid, "SIGCONT"),
  };
  const attempts: Record<string, string> = {};
  for (const [name, way] of Object.entries(ways)) attempts[name] = await attempt(way);
  return { fence, attempts };
}

self.onmessage = async ({ data }: MessageEvent<KernelProbeTask>) => self.postMessage(await runAll(data));
