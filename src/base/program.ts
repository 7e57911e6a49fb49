/** How this program is started: by a client, and by a person at a shell. */
import { JSR_NAME, NAME, NPM_NAME, VERSION } from "./version.ts";

const WORKER_OPTIONS = "--unstable-worker-options";

/** With it Deno reads what is loaded later only then, which shortens a start from the sources. */
const READ_LATER = "--unstable-lazy-dynamic-imports";

/** With it V8 keeps little memory for new objects, as in the executable; a program cannot set it for itself. */
const LITTLE_MEMORY = "--v8-flags=--max-semi-space-size=1";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Program {
  /** Whether it is a compiled executable rather than run by Deno. */
  readonly standalone: boolean;
  readonly executable: string;
  readonly mainModule: string;
  readonly denoVersion: string;
  readonly os: typeof Deno.build.os;
}

/** What goes into a client's configuration. What npx fetched may be gone tomorrow, so npx must fetch it again. */
export function serverCommand(program: Program, args: readonly string[]): ServerCommand {
  const { executable, os } = program;
  const run = [...runArguments(program, { forClient: true }), ...args];
  if (!isFromNpx(program)) return { command: executable, args: run };
  const npx = ["npx", "-y", fetchedByNpx(program), ...run];
  const [command = "", ...others] = os === "windows" ? ["cmd", "/c", ...npx] : npx; // there it is a script
  return { command, args: others };
}

/** The same for people, who use the name of a program; quoted for a shell. */
export function typedCommand(program: Program, args: readonly string[] = []): string {
  const words = isFromNpx(program)
    ? ["npx", "-y", program.standalone ? NPM_NAME : fetchedByNpx(program)]
    : [program.standalone ? NAME : "deno"];
  return [...words, ...[...runArguments(program), ...args].map((word) => forShell(word, program))].join(" ");
}

/** The command line that starts the program with permission to narrow its Workers' permissions. */
export function commandWithWorkerOptions(program: Program, args: readonly string[]): string {
  const line = typedCommand(program, args);
  return line.includes(` ${WORKER_OPTIONS} `) ? line : line.replace(" run -A ", ` run -A ${WORKER_OPTIONS} `);
}

/** Deno's own arguments, before those of the program; for a client, with those that nobody would want to type. */
export function runArguments(
  { standalone, mainModule, os }: Program,
  { forClient = false }: { forClient?: boolean } = {},
): string[] {
  if (standalone) return [];
  const memory = forClient ? [LITTLE_MEMORY] : [];
  if (mainModule.startsWith("file:")) {
    const isSource = mainModule.endsWith(".ts"); // rather than a bundle
    return ["run", "-A", ...memory, ...(forClient && isSource ? [READ_LATER] : []), pathOf(mainModule, os)];
  }
  // From a URL Deno reads no deno.json, so its settings have to be given here.
  return ["run", "-A", "--no-prompt", WORKER_OPTIONS, ...memory, publishedName(mainModule)];
}

function isFromNpx({ executable }: Program): boolean {
  return /[\\/]_npx[\\/]/.test(executable);
}

function fetchedByNpx({ standalone, denoVersion }: Program): string {
  return standalone ? `${NPM_NAME}@${VERSION}` : `deno@${denoVersion}`;
}

/** This version of the published package, however it was requested; any other module as it is. */
function publishedName(module: string): string {
  const isPublished = new RegExp(`^jsr:/?${JSR_NAME}(@|$)|/${JSR_NAME}/[^/]+/main\\.ts$`).test(module);
  return isPublished ? `jsr:${JSR_NAME}@${VERSION}` : module;
}

/** The path of a `file:` URL. */
export function pathOf(module: string, os: Program["os"]): string {
  const path = decodeURIComponent(new URL(module).pathname);
  return os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "").replaceAll("/", "\\") : path;
}

function forShell(word: string, { os }: Program): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(word)) return word;
  return os === "windows" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
