/**
 * paddock: an MCP filesystem server. This file does what needs more permissions than the server has: it reads
 * the arguments, the config file and facts about the host, sets up the fence, and ends the process.
 *
 * @module
 */
import { UsageError } from "./src/base/errors.ts";
import { commandWithWorkerOptions, typedCommand } from "./src/base/program.ts";
import { NAME } from "./src/base/version.ts";
import { HeldStores } from "./src/cli/held_stores.ts";
import { currentFolder, homeOfUser, permittedEnv } from "./src/cli/permissions.ts";
import { loadConfig } from "./src/cli/resolve.ts";
import { subcommandNamed } from "./src/cli/subcommands.ts";
import { thisProgram } from "./src/cli/this_program.ts";
import { TranspiledParts } from "./src/cli/transpiled_parts.ts";
import { withStoresOfNow } from "./src/cli/undo.ts";
import { host } from "./src/sandbox/host.ts";
import { cacheFolder, programFiles, type Surroundings } from "./src/sandbox/kernel/program_files.ts";
import { runWithoutQuestions, type Started } from "./src/sandbox/no_questions.ts";
import { denoWasGiven, isInBackground, Signals } from "./src/sandbox/process.ts";

const encoder = new TextEncoder();

function writeText(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = encoder.encode(text.endsWith("\n") ? text : `${text}\n`);
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}

/**
 * Deno ends a process that sets a Worker's permissions without this setting. When our deno.json was read, its
 * import map shows that the setting is on. Run from a URL there is no import map and a flag is needed; where
 * the system does not reveal the flags we simply try: if the flag is missing, Deno ends the process and names
 * it.
 */
function hasWorkerOptions(): boolean {
  try {
    import.meta.resolve("#worker-options");
    return true;
  } catch {
    return denoWasGiven("--unstable-worker-options") ?? !import.meta.url.startsWith("file:");
  }
}

function lineWithFence(): string {
  return commandWithWorkerOptions(thisProgram(), Deno.args);
}

/** Whether this build was made for a runtime that cannot serve such a surface (build/compile.ts --without). */
function isBuiltWithout(surface: string): boolean {
  try {
    import.meta.resolve(`#without-${surface}`);
    return true;
  } catch {
    return false;
  }
}

/** Calls `read` for each line (a person pressing Enter), until the input ends. */
async function eachLine(read: () => void): Promise<void> {
  if (isInBackground()) return;
  const bytes = new Uint8Array(1024);
  try {
    for (let n = await Deno.stdin.read(bytes); n !== null; n = await Deno.stdin.read(bytes)) {
      if (bytes.subarray(0, n).includes(NEWLINE)) read();
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error; // no input to read from
  }
}

const NEWLINE = 0x0a;

async function surroundings(): Promise<Surroundings> {
  const { standalone } = Deno.build;
  const home = standalone || permittedEnv("HOME") ? undefined : await homeOfUser();
  const folder = currentFolder();
  return { main: import.meta.url, env: permittedEnv, home: () => home, folder, standalone };
}

function partsOf(around: Surroundings): TranspiledParts | undefined {
  const cache = around.standalone ? undefined : cacheFolder(around);
  return cache === undefined ? undefined : new TranspiledParts({ main: around.main, cache });
}

async function toolsOf(surface: "roots" | "classic" | "flat" | "workspaces") {
  switch (surface) {
    case "classic":
      return (await import("./src/surfaces/classic/surface.ts")).CLASSIC_TOOLS;
    case "roots":
      return (await import("./src/surfaces/roots/surface.ts")).ROOTS_TOOLS;
    case "flat":
      return (await import("./src/surfaces/flat/surface.ts")).FLAT_TOOLS;
    case "workspaces":
      return (await import("./src/surfaces/workspaces/surface.ts")).WORKSPACES_TOOLS;
  }
}

function started(): Started {
  const atTerminal = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  return { args: Deno.args, env: permittedEnv, atTerminal };
}

async function main(): Promise<number> {
  const command = subcommandNamed(Deno.args[0]);
  if (command !== undefined) {
    const code = await runWithoutQuestions(started());
    if (code !== undefined) return code;
    const { runCommand } = await import("./src/commands/mod.ts");
    return await runCommand(command, {
      args: Deno.args.slice(1),
      env: permittedEnv,
      workerOptions: hasWorkerOptions(),
      lineWithFence,
      programFiles: programFiles(await surroundings()),
      print: (text) => writeText(Deno.stdout, text),
      note: (text) => writeText(Deno.stderr, text),
      confirm: Deno.stdin.isTerminal() ? (question) => confirm(question) : undefined,
      onLine: (read) => void eachLine(read),
      colours: Deno.stdout.isTerminal() && !Deno.noColor,
    });
  }
  if (Deno.args.length === 0 && started().atTerminal && !permittedEnv("WORKSPACES_ROOT")) {
    const { firstWords } = await import("./src/cli/first_words.ts");
    writeText(Deno.stderr, firstWords(typedCommand(thisProgram())));
    return 1;
  }
  const signals = new Signals(); // before anything takes time
  const held = new HeldStores();
  const load = () =>
    loadConfig({
      args: Deno.args,
      env: permittedEnv,
      knownTools: async (surface) =>
        (await toolsOf(surface)).filter((tool) => tool.access !== "meta")
          .map(({ name, access }) => ({ name, writes: access === "write" })),
    });
  const loaded = await load();
  if (loaded.kind !== "run") {
    writeText(Deno.stdout, loaded.text);
    return 0;
  }
  const { kind } = loaded.config.surface;
  if (isBuiltWithout(kind)) {
    throw new UsageError([
      `this build (${NAME}-lite) cannot serve ${kind}: its small runtime does not run them; use ${NAME}`,
    ]);
  }
  const code = await runWithoutQuestions(started());
  if (code !== undefined) return code;
  if (loaded.config.transport.kind === "stdio" && started().atTerminal) {
    const { waitingWords } = await import("./src/cli/first_words.ts");
    writeText(Deno.stderr, waitingWords(typedCommand(thisProgram())));
  }
  const around = await surroundings();
  return await host({
    config: loaded.config,
    workerOptions: hasWorkerOptions(),
    lineWithFence,
    programFiles: programFiles(around),
    parts: partsOf(around),
    signals,
    reload: async () => {
      const again = await load();
      if (again.kind !== "run") throw new UsageError(["the configuration no longer starts a server"]);
      return again.config;
    },
    hold: (store) => held.hold(store),
    onLine: (read) => void eachLine(read),
    reopened: (config) => ({ ...config, surface: withStoresOfNow(config.surface) }),
  });
}

if (import.meta.main) {
  Deno.exitCode = 70; // stays if the server ends without reporting a code
  try {
    Deno.exit(await main());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const mistake of error.mistakes) writeText(Deno.stderr, `error: ${mistake}`);
    Deno.exit(1);
  }
}
