/** `paddock console`: shows in a browser what agents changed in directories and workspaces, and undoes it. */
import type { ConsoleSources, HttpConfig, RootConfig } from "../../base/config.ts";
import { UsageError } from "../../base/errors.ts";
import { NAME } from "../../base/version.ts";
import { DEFAULTS } from "../../cli/flags.ts";
import { hostFacts } from "../../cli/host_facts.ts";
import { quote } from "../../cli/mistakes.ts";
import { namesFor, realDirectory } from "../../cli/root_dirs.ts";
import { HeldStores } from "../../cli/held_stores.ts";
import { baseFolder, storeFor, UNDO_DEFAULTS } from "../../cli/undo.ts";
import { hostConsole } from "../../sandbox/console_host.ts";
import { noFence } from "../../sandbox/plan.ts";
import { Signals } from "../../sandbox/process.ts";
import type { CommandArguments, CommandIo } from "../command.ts";

export const CONSOLE_PORT = 8092;

const MB = 1024 * 1024;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

export async function openConsole({ words, flags }: CommandArguments, io: CommandIo): Promise<number> {
  if (!io.workerOptions) {
    io.note(noFence(io.lineWithFence()));
    return 1;
  }
  const signals = new Signals();
  const sources = sourcesOf({ words, flags, rest: [] }, io);
  const { openFiles } = hostFacts();
  const transport = transportOf(flags);
  if (!LOCAL.test(transport.host)) {
    io.note(
      `warning: anyone who can reach ${transport.host} and has the address below can see and undo changes`,
    );
  }
  const stores = new HeldStores();
  let isFirst = true;
  return await hostConsole({
    sources: () => withStores(sources, { flags, io }),
    transport,
    log: { format: "text", level: "warn" },
    openFiles,
    programFiles: io.programFiles,
    hold: (store) => stores.hold(store),
    signals,
    report: (message) => io.note(message),
    onEnter: (wanted) => io.onLine?.(wanted),
    onAddress: (url, fences) => {
      io.print(url);
      if (isFirst) {
        io.note(`Open it in a browser; it works once. Press Enter for a new one, Ctrl+C to end the console.`);
        io.note(`fence: ${fences}`);
      }
      isFirst = false;
    },
  });
}

function sourcesOf({ words, flags }: CommandArguments, io: CommandIo): ConsoleSources {
  const mistakes: string[] = [];
  const given = flags["workspaces-root"];
  const dirs = words.length === 0 && given === undefined ? ["."] : words;
  const names = namesFor(dirs);
  const roots = dirs.flatMap((dir, i): RootConfig[] => {
    const path = existing(dir, `directory ${quote(dir)}`, mistakes);
    return path === undefined
      ? []
      : [{ name: names[i] ?? "root", path, allowedTools: ["*"], protectGit: true }];
  });
  const workspaces = typeof given === "string"
    ? existing(given, `--workspaces-root=${quote(given)}`, mistakes)
    : undefined;
  if (mistakes.length > 0) throw new UsageError(mistakes);
  const { umask } = hostFacts();
  const once = [...new Map(roots.map((root) => [root.path, root])).values()];
  return withStores({ roots: once, workspaces, readOnly: flags["read-only"] === true, umask }, { flags, io });
}

function existing(dir: string, subject: string, mistakes: string[]): string | undefined {
  const real = realDirectory(dir);
  if ("value" in real) return real.value;
  mistakes.push(`${subject} ${real.reason}, but must be an existing directory; example: ${NAME} console .`);
  return undefined;
}

/** Adds the stores of the directories that are in place now. */
function withStores(
  sources: ConsoleSources,
  { flags, io }: { flags: CommandArguments["flags"]; io: CommandIo },
): ConsoleSources {
  const given = flags["undo-dir"];
  const base = baseFolder({
    flags: typeof given === "string" ? { "undo-dir": given } : {},
    file: undefined,
    env: io.env,
  });
  const roots = sources.roots.map((root): RootConfig => {
    if (!("value" in realDirectory(root.path))) return root; // it may come back
    const store = "reason" in base ? base : storeFor({ base: base.value, name: root.name, path: root.path });
    return { ...root, undo: "reason" in store ? { off: store.reason } : settingsFor(store.value) };
  });
  return { ...sources, roots };
}

function settingsFor(store: string) {
  return {
    store,
    keepDays: UNDO_DEFAULTS.keepDays,
    maxBytes: UNDO_DEFAULTS.maxMb * MB,
    maxChangeBytes: UNDO_DEFAULTS.maxChangeMb * MB,
    exclude: [],
    required: false,
  };
}

function transportOf(flags: CommandArguments["flags"]): HttpConfig {
  const { port, host, "allowed-hosts": allowed } = flags;
  return {
    kind: "http",
    host: typeof host === "string" ? host : DEFAULTS.host,
    port: typeof port === "number" ? port : CONSOLE_PORT,
    allowedHosts: Array.isArray(allowed) ? allowed : [],
    corsOrigins: [],
    token: undefined,
  };
}
