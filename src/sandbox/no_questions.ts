/**
 * At a terminal, the runtime asks a person for every permission that a Worker lacks, and a yes opens the
 * fence. Nothing inside the process can turn that off, but whoever starts it can. So a program that runs at a
 * terminal without being told not to prompt starts itself again, and lets that process do everything.
 */
import { denoArguments, denoWasGiven } from "./process.ts";

const VARIABLE = "DENO_NO_PROMPT";

/** How the program was started. */
export interface Started {
  readonly args: readonly string[];
  readonly env: (name: string) => string | undefined;
  /** Whether a person could be asked. */
  readonly atTerminal: boolean;
}

/** The exit code of the second process; undefined when none is needed, or it may not be started. */
export async function runWithoutQuestions(started: Started): Promise<number | undefined> {
  if (!mayAsk(started)) return undefined;
  const args = denoArguments() ?? likelyArguments(started);
  if (args === undefined || Deno.permissions.querySync({ name: "run" }).state !== "granted") return undefined;
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { [VARIABLE]: "1" },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const passOn = (signal: Deno.Signal) => () => {
    try {
      child.kill(signal);
    } catch { /* it has already ended */ }
  };
  // A terminal sends its own signals to both processes.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") {
    for (const signal of ["SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(signal, passOn(signal));
  }
  return (await child.status).code;
}

/** A compiled executable was built not to prompt. */
function mayAsk({ env, atTerminal }: Started): boolean {
  return atTerminal && !Deno.build.standalone && env(VARIABLE) !== "1" &&
    denoWasGiven("--no-prompt") !== true;
}

/** The arguments that a process with all permissions was probably started with. */
function likelyArguments({ args }: Started): string[] | undefined {
  const everything = (["read", "write", "net", "env", "sys", "run", "ffi"] as const)
    .every((name) => Deno.permissions.querySync({ name }).state === "granted");
  if (!everything) return undefined;
  const options = Deno.mainModule.startsWith("file:") ? [] : ["--unstable-worker-options"];
  return ["run", "-A", ...options, Deno.mainModule, ...args];
}
