/**
 * Starts the kernel fence probe as host.ts starts Workers, with the rules of a server over http, of tools alone and
 * of a search worker, and once without any. Prints what each could do, as JSON. Arguments: an empty folder.
 */
import type { Config } from "../../src/base/config.ts";
import type { KernelPlan } from "../../src/base/kernel.ts";
import { programFiles } from "../../src/sandbox/kernel/program_files.ts";
import { kernelRulesFor, searchRulesFor, toolRulesFor } from "../../src/sandbox/kernel/rules.ts";
import type { KernelProbeAnswer } from "./kernel_probe_task.ts";

const [folder = ""] = Deno.args;
const program = programFiles({
  main: new URL("../../main.ts", import.meta.url).href,
  env: (name) => Deno.env.get(name),
  home: () => undefined,
  folder: "",
  standalone: Deno.build.standalone,
}) ?? [];

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return listener.addr.port;
}

function configOf(dir: string, port: number): Config {
  return {
    surface: { kind: "flat", dir },
    transport: { kind: "http", host: "127.0.0.1", port, allowedHosts: [], corsOrigins: [], token: undefined },
    maxSize: 1,
    timeoutMs: 1,
    readOnly: false,
    sandbox: true,
    logFormat: "text",
    logLevel: "info",
    callLogLevel: "info",
    configPath: undefined,
    host: { users: [], groups: [], umask: 0o022 },
  };
}

function prepare(name: string): { inside: string; outside: string } {
  const [inside, outside] = [`${folder}/${name}/inside`, `${folder}/${name}/outside`];
  Deno.mkdirSync(`${inside}/d`, { recursive: true });
  Deno.mkdirSync(outside);
  for (const file of ["a.txt", "c.txt", "e.txt"]) Deno.writeTextFileSync(`${inside}/${file}`, file);
  for (const file of ["secret.txt", "f.txt", "g.txt"]) Deno.writeTextFileSync(`${outside}/${file}`, file);
  Deno.writeTextFileSync(`${inside}/program`, "#!/bin/sh\n", { mode: 0o755 });
  Deno.symlinkSync(outside, `${inside}/link`);
  return { inside, outside };
}

async function probe(name: string, planOf: (config: Config) => KernelPlan): Promise<KernelProbeAnswer> {
  const places = prepare(name);
  const ownPort = freePort();
  const worker = new Worker(new URL("./kernel_probe.ts", import.meta.url), { type: "module", name });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<KernelProbeAnswer>) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      const plan = planOf(configOf(places.inside, ownPort));
      worker.postMessage({ plan, ...places, port: neighbour.addr.port, ownPort });
    });
  } finally {
    worker.terminate();
  }
}

const neighbour = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  () => new Response("hi"),
);
const answers = {
  open: await probe("open", () => ({ missing: "a test" })),
  server: await probe("server", (config) => ({ rules: kernelRulesFor(config, program) })),
  tools: await probe("tools", (config) => ({ rules: toolRulesFor(config, program) })),
  search: await probe("search", (config) => ({ rules: searchRulesFor(config, program) })),
};
console.log(JSON.stringify(answers));
Deno.exit(0);
