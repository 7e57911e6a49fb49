/** Who may import what, and who may use which power: the tables of the architecture, and their checker. */
import { keepsToRooms } from "./room_rules.ts";
import { factsOf, type Import } from "./source_facts.ts";

/** Folder of src → folders it may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  text: ["base"],
  confine: ["base"],
  cli: ["base"],
  sandbox: ["base"],
  tools: ["base"],
  engine: ["base", "text", "confine"],
  surfaces: ["base", "tools", "engine", "text"],
  server: ["base", "tools"],
  transports: ["base", "server", "tools"],
  console: ["base", "text", "engine", "surfaces", "transports"],
  runtime: [
    "base",
    "text",
    "confine",
    "cli",
    "sandbox",
    "tools",
    "engine",
    "surfaces",
    "server",
    "transports",
    "console",
  ],
  commands: ["base", "text", "cli", "sandbox"],
  "main.ts": ["base", "cli", "sandbox"],
};

/** Single imports beyond the table, each with its reason. */
export const EXCEPTIONS: readonly { from: string; to: string; dynamic: boolean; why: string }[] = [
  {
    from: "src/sandbox/worker.ts",
    to: "src/runtime/compose.ts",
    dynamic: false,
    why: "the Worker's entry: it is what runs inside the fence",
  },
  {
    from: "src/sandbox/worker.ts",
    to: "src/runtime/every_part.ts",
    dynamic: true,
    why: "fills Deno's cache before the kernel fence goes up",
  },
  {
    from: "src/sandbox/search_worker.ts",
    to: "src/runtime/searcher.ts",
    dynamic: false,
    why: "the entry of a search worker: it is what runs inside its fence",
  },
  {
    from: "src/sandbox/console_worker.ts",
    to: "src/runtime/console.ts",
    dynamic: false,
    why: "the entry of the console's Workers: it is what runs inside their fences",
  },
  {
    from: "src/sandbox/host.ts",
    to: "src/runtime/compose.ts",
    dynamic: true,
    why: "a process that was started with narrow permissions serves in place; loaded only then",
  },
  {
    from: "src/sandbox/host.ts",
    to: "src/runtime/console.ts",
    dynamic: true,
    why:
      "where the process itself is the fence, its console is inside it too; loaded only when that is opened",
  },
  {
    from: "src/cli/host_facts.ts",
    to: "src/sandbox/kernel/own_process.ts",
    dynamic: false,
    why: "only the C library tells an executable how many files it may open, and only kernel/ may load that",
  },
  {
    from: "main.ts",
    to: "src/surfaces/roots/surface.ts",
    dynamic: true,
    why: "a config file may only allow tools that exist; loaded only with --config or --tools",
  },
  {
    from: "main.ts",
    to: "src/surfaces/classic/surface.ts",
    dynamic: true,
    why: "--tools may only name tools that exist; loaded only with it",
  },
  {
    from: "main.ts",
    to: "src/surfaces/flat/surface.ts",
    dynamic: true,
    why: "--tools may only name tools that exist; loaded only with it",
  },
  {
    from: "main.ts",
    to: "src/surfaces/workspaces/surface.ts",
    dynamic: true,
    why: "--tools may only name tools that exist; loaded only with it",
  },
  {
    from: "main.ts",
    to: "src/commands/mod.ts",
    dynamic: true,
    why: "commands beside serving; loaded only when one is the first argument",
  },
  {
    from: "src/commands/doctor/live_server.ts",
    to: "src/runtime/remote_tools.ts",
    dynamic: true,
    why: "the doctor calls the tools of the Worker that it examines as the server would",
  },
];

const MCP = "@modelcontextprotocol/";
const MCP_PLACES = ["src/server/", "src/transports/"];

/** Restarts the program where the runtime would prompt for permissions. */
const NO_QUESTIONS = "src/sandbox/no_questions.ts";
/** How it was started, for the command line that starts it again. */
const THIS_PROGRAM = "src/cli/this_program.ts";

/** Where files are accessed at all: apart from the inner fence, only code that must lock, scan or store on its own. */
const FILE_PLACES = [
  "src/confine/",
  "src/cli/",
  "src/commands/",
  "src/engine/locks.ts",
  "src/engine/history/git/",
  "src/engine/history/files/disk.ts",
];

/** Tries to leave the fence from inside, by every possible power. */
const FENCE_PROBE = "src/sandbox/fence_probe.ts";

const NODE_PLACES: Record<string, readonly string[]> = {
  "node:fs": FILE_PLACES,
  "node:fs/promises": FILE_PLACES,
  "node:crypto": ["src/engine/"],
  "node:zlib": ["src/engine/"],
  "node:sqlite": ["src/engine/undo/", "src/cli/held_stores.ts"],
  "node:inspector": ["src/sandbox/collector.ts"],
  "node:net": ["src/transports/quick_input.ts"],
  "node:os": ["src/cli/permissions.ts"], // the home of a user that no variable names
  "node:buffer": ["src/base/node_buffer.ts", "src/engine/"],
};

const EVERYWHERE = [""];
const NOWHERE: readonly string[] = [];

/** What may be used of Deno, and where, apart from file functions. What is in neither table has no place yet. */
const DENO_PLACES: Record<string, readonly string[]> = {
  build: EVERYWHERE,
  errors: EVERYWHERE,
  SeekMode: [...FILE_PLACES, "src/engine/history/"],
  unrefTimer: ["src/base/later.ts"],
  args: ["main.ts"],
  exit: ["main.ts"],
  exitCode: ["main.ts"],
  env: ["src/cli/", FENCE_PROBE],
  permissions: ["src/cli/", "src/sandbox/"],
  umask: ["src/cli/"],
  cwd: ["src/cli/"],
  pid: ["src/cli/"],
  execPath: ["src/commands/", THIS_PROGRAM, NO_QUESTIONS],
  mainModule: ["src/commands/", THIS_PROGRAM, NO_QUESTIONS],
  version: [THIS_PROGRAM],
  addSignalListener: ["src/sandbox/"],
  stdin: [
    "main.ts", // whether somebody can be prompted
    "src/runtime/compose.ts",
    "src/commands/doctor/lock_process.ts",
  ],
  stdout: ["main.ts", "src/runtime/compose.ts"],
  stderr: ["main.ts", "src/base/stderr_sink.ts"], // the log, which even a failing server must be able to write
  noColor: ["main.ts", "src/base/stderr_sink.ts"],
  serve: ["src/transports/"],
  listen: ["src/transports/", "src/commands/doctor/web_guard.ts"],
  connect: ["src/commands/doctor/web_guard.ts", FENCE_PROBE],
  // The doctor's second process, itself; and the program again, where the runtime would prompt.
  Command: ["src/commands/doctor/lock_process.ts", NO_QUESTIONS, FENCE_PROBE],
  dlopen: [FENCE_PROBE, "src/sandbox/kernel/"],
  UnsafePointer: ["src/sandbox/kernel/"],
  UnsafePointerView: ["src/sandbox/kernel/"],
  DynamicLibrary: ["src/sandbox/kernel/"],
  hostname: [FENCE_PROBE],
};

const FILE_FUNCTIONS =
  /^(?:open|create|readTextFile|readFile|writeTextFile|writeFile|readDir|readLink|realPath|stat|lstat|mkdir|makeTempDir|makeTempFile|remove|rename|link|symlink|copyFile|truncate|chmod|chown|utime)(?:Sync)?$/;

/** /proc/self says whether the process was given an input and an output. */
const PROC_READERS = ["readLinkSync", "readTextFileSync"];

/** Appends to the one file that the operator named for ACP events. */
const EVENT_FILE = "src/runtime/event_file.ts";

const GLOBAL_PLACES: Record<string, readonly string[]> = {
  "new Worker": ["src/sandbox/"],
  console: ["src/sandbox/worker.ts"], // to keep one of Deno's warnings out of the log
};

/** What a file does that the tables do not allow, one sentence each. `path` is relative to the repository. */
export function violationsIn(path: string, source: string): string[] {
  const { imports, deno, globals, hidden } = factsOf(source);
  const within = (places: readonly string[]) => places.some((place) => path.startsWith(place));
  return [
    ...hidden.map((what) => `${path} uses ${what}`),
    ...imports.filter((used) => !mayImport(path, used)).map(({ specifier, dynamic }) =>
      `${path} may not import ${specifier}${dynamic ? " (lazily)" : ""}`
    ),
    ...[...deno].filter((member) => !within(denoPlaces(member)))
      .map((member) => `${path} may not use Deno.${member}`),
    ...[...globals].filter((name) => !within(GLOBAL_PLACES[name] ?? NOWHERE))
      .map((name) => `${path} may not use ${name}`),
  ];
}

function denoPlaces(member: string): readonly string[] {
  if (PROC_READERS.includes(member)) return [...FILE_PLACES, "src/sandbox/"];
  if (member === "openSync") return [...FILE_PLACES, EVENT_FILE];
  if (FILE_FUNCTIONS.test(member)) return [...FILE_PLACES, FENCE_PROBE];
  return Object.hasOwn(DENO_PLACES, member) ? DENO_PLACES[member] ?? NOWHERE : NOWHERE;
}

function mayImport(path: string, { specifier, dynamic }: Import): boolean {
  if (/^\.\.?\//.test(specifier)) {
    const target = targetOf(path, specifier);
    return (isInTable(path, target) && keepsToRooms(path, target)) ||
      EXCEPTIONS.some(({ from, to, ...only }) => from === path && to === target && only.dynamic === dynamic);
  }
  const within = (places: readonly string[]) => places.some((place) => path.startsWith(place));
  if (specifier.startsWith(MCP)) return within(MCP_PLACES);
  if (specifier.startsWith("node:")) return within(NODE_PLACES[specifier] ?? NOWHERE);
  return !specifier.includes(":"); // everything else goes through the import map, never directly to a registry
}

/** Where a relative specifier leads, relative to the repository. */
export function targetOf(path: string, specifier: string): string {
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

function isInTable(path: string, target: string): boolean {
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === undefined || to === undefined) return false;
  if (from !== to) return MAY_IMPORT[from]?.includes(to) ?? false;
  const [ours, theirs] = [surfaceOf(path), surfaceOf(target)];
  return theirs === undefined || ours === theirs; // a surface never imports another
}

/** `base` for src/base/log.ts, `main.ts` for itself; undefined for what is not part of the program. */
function folderOf(path: string): string | undefined {
  return path === "main.ts" ? path : /^src\/([^/]+)\/./.exec(path)?.[1];
}

function surfaceOf(path: string): string | undefined {
  return /^src\/surfaces\/([^/]+)\//.exec(path)?.[1];
}
