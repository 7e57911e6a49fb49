/**
 * The resolved stage: turns the command line, the environment and the config file into one frozen Config, or
 * one error with every mistake. This folder's only entry point; call it again to reload.
 *
 * To add a surface: a function like `rootsFromDirs`, and its line in `planSurface`.
 */
import type { Config, RootConfig, SurfaceConfig, TransportConfig } from "../base/config.ts";
import { UsageError } from "../base/errors.ts";
import type { LogFormat, LogLevel } from "../base/log.ts";
import { NAME } from "../base/version.ts";
import { resolveAcpEvents } from "./acp_events.ts";
import {
  DEFAULTS,
  flagExample,
  type FlagRecord,
  FLAGS,
  type FlagValues,
  helpText,
  versionText,
} from "./flags.ts";
import { hostFacts } from "./host_facts.ts";
import { didYouMean, quote, refusal } from "./mistakes.ts";
import { type CommandLine, type Env, parseCommandLine } from "./parse.ts";
import { isGranted } from "./permissions.ts";
import { fromHome, homeFolder, namedOtherwise } from "./home.ts";
import {
  createDirectory,
  namesFor,
  realDirectory,
  resolveRoots,
  type RootCandidate,
  writableDirectory,
} from "./root_dirs.ts";
import { commandMeantBy } from "./subcommands.ts";
import { tokenFromEnv, tokenFromFile } from "./token.ts";
import { type UndoFileSettings, withUndo } from "./undo.ts";
import type { Checked } from "./values.ts";

export interface LoadOptions {
  readonly args: readonly string[];
  readonly env?: Env | undefined;
  /** The tools of a surface that can be allowed or not; called only where some are named. */
  readonly knownTools: (surface: SurfaceConfig["kind"]) => Promise<readonly KnownTool[]>;
}

export type Loaded =
  | { readonly kind: "run"; readonly config: Config }
  | { readonly kind: "help" | "version"; readonly text: string };

/** A tool as a config file may allow it. */
export interface KnownTool {
  readonly name: string;
  /** Whether it changes anything. */
  readonly writes: boolean;
}

/** Throws a UsageError with all mistakes. */
export async function loadConfig({ args, env, knownTools }: LoadOptions): Promise<Loaded> {
  const line = parseCommandLine(args, env);
  if (line.flags.help) return { kind: "help", text: helpText() };
  if (line.flags.version) return { kind: "version", text: versionText() };
  const mistakes = [...line.mistakes];
  const plan = await planSurface(line, { knownTools, mistakes, home: homeFolder(env) });
  if (plan === undefined) throw new UsageError(mistakes);
  const values: FlagValues = { ...plan.fileValues, ...line.env, ...line.flags };
  const surface = withUndo(plan.surface, {
    flags: line.flags,
    envFlags: line.env,
    env,
    file: plan.undo,
    readOnly: values["read-only"] ?? false,
    byDefault: plan.undoByDefault ?? false,
    mistakes,
  });
  const transport = resolveTransport(values, { line, plan, mistakes });
  const acpEvents = resolveAcpEvents(line.flags, { surface: plan.surface, mistakes });
  const { tools, text } = values;
  if (text !== undefined && plan.surface.kind === "classic") mistakes.push(TEXT_IS_FIXED);
  if (tools !== undefined) {
    const { kind } = plan.surface;
    mistakes.push(
      ...unknownTools(tools, [
        ...kind === "roots" ? ["list_roots"] : [],
        ...kind === "classic" ? ["list_allowed_directories"] : [],
        ...(await knownTools(kind)).map(({ name }) => name),
      ], { slashes: kind === "workspaces" }),
    );
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  const config: Config = {
    surface,
    transport,
    maxSize: (values["max-size"] ?? DEFAULTS.maxSizeMb) * 1024 * 1024,
    timeoutMs: (values.timeout ?? DEFAULTS.timeoutSeconds) * 1000,
    readOnly: values["read-only"] ?? false,
    sandbox: !values["no-sandbox"],
    ...(values["require-kernel-fence"] ? { requireKernelFence: true } : {}),
    logFormat: values["log-format"] ?? plan.logFormat,
    logLevel: values["log-level"] ?? DEFAULTS.logLevel,
    callLogLevel: plan.callLogLevel,
    configPath: plan.configPath,
    ...(acpEvents === undefined ? {} : { acpEvents }),
    ...(text === undefined ? {} : { text }),
    ...(tools === undefined ? {} : { tools }),
    ...(values.console ? { console: true } : {}),
    ...(values["no-search-cache"] ? { searchCacheBytes: 0 } : {}),
    host: hostFacts(),
  };
  return { kind: "run", config: deepFreeze(config) };
}

const TEXT_IS_FIXED = refusal("--text", {
  problem: "has no effect with --classic",
  allowed: "left out: the results read like the official server's",
  example: `${NAME} --classic .`,
});

/** A root is writable when a tool that changes something is allowed on it. */
function isWritable({ allowedTools }: RootConfig, tools: readonly KnownTool[]): boolean {
  return tools.some(({ name, writes }) =>
    writes && (allowedTools.includes("*") || allowedTools.includes(name))
  );
}

/** The workspaces surface also knows its tools by names with a slash. */
function unknownTools(
  tools: readonly string[],
  known: readonly string[],
  { slashes }: { slashes: boolean },
): string[] {
  const plain = (tool: string) => slashes ? tool.replace("/", "_") : tool;
  return tools.filter((tool) => !known.includes(plain(tool))).map((tool) =>
    `--tools names ${quote(tool)}, which is not a tool${didYouMean(tool, known)}; allowed: ${
      known.join(", ")
    }; ` +
    `example: --tools=${known.slice(0, 2).join(",")}`
  );
}

/** What a surface contributes: its own part of the configuration, and its defaults for the rest. */
interface SurfacePlan {
  readonly surface: SurfaceConfig;
  readonly fileValues: FlagValues;
  readonly configPath: string | undefined;
  readonly transport: TransportConfig["kind"];
  readonly port: number;
  readonly logFormat: LogFormat;
  readonly callLogLevel: LogLevel;
  /** What the config file says about undo, if it says anything. */
  readonly undo?: UndoFileSettings | undefined;
  /** Whether changes are recorded by default. */
  readonly undoByDefault?: boolean;
}

interface Collected {
  readonly knownTools: LoadOptions["knownTools"];
  readonly mistakes: string[];
  /** What `~` stands for, where that is known. */
  readonly home: string | undefined;
}

/** The one surface that was requested, or undefined where that is unclear (the raw stage has reported it). */
async function planSurface(line: CommandLine, collected: Collected): Promise<SurfacePlan | undefined> {
  const { dirs, flags: { config, dir, "workspaces-root": workspaces, classic } } = line;
  const surfaces = [config, dir, workspaces, dirs[0]].filter((surface) => surface !== undefined);
  if (surfaces.length > 1) return undefined;
  if (surfaces.length === 0 || workspaces !== undefined) return workspacesFromDir(line, collected);
  if (config !== undefined) return await rootsFromFile(config, collected);
  if (dir !== undefined) return flatFromDir(dir, line, collected);
  if (dirs.length > 0) return classic ? classicFromDirs(dirs, collected) : rootsFromDirs(dirs, collected);
  return undefined;
}

function rootsFromDirs(dirs: readonly string[], { mistakes }: Collected): SurfacePlan {
  const roots = resolveRoots(candidatesOf(dirs), mistakes);
  return planOfDirs({ kind: "roots", roots, maxFullReadSize: DEFAULTS.maxFullReadSize });
}

function classicFromDirs(dirs: readonly string[], { mistakes, home }: Collected): SurfacePlan {
  const roots = resolveRoots(candidatesOf(dirs.map((dir) => fromHome(dir, home))), mistakes, namedOtherwise);
  return planOfDirs({ kind: "classic", roots, ...(home === undefined ? {} : { home }) });
}

function candidatesOf(dirs: readonly string[]): RootCandidate[] {
  const named = dirs.filter((dir) => dir !== "");
  const names = namesFor(named);
  return named.map((path, index) => ({
    name: names[index] ?? path,
    path,
    allowedTools: ["*"],
    protectGit: true,
    subject: `directory ${quote(path)}`,
    ...(index === 0 && { meant: commandMeantBy(path) }),
    example: `${NAME} .`,
  }));
}

function planOfDirs(surface: SurfaceConfig): SurfacePlan {
  return {
    surface,
    fileValues: {},
    configPath: undefined,
    transport: "stdio",
    port: DEFAULTS.port,
    logFormat: "text",
    callLogLevel: "info",
    undoByDefault: true,
  };
}

/** Ports below this need special privileges; the flat surface does not use them. */
const LEAST_FLAT_PORT = 1024;

function flatFromDir(dir: string, { flags, env }: CommandLine, { mistakes }: Collected): SurfacePlan {
  const readOnly = flags["read-only"] ?? false;
  const real = readOnly ? realDirectory(dir) : writableDirectory(dir);
  if ("reason" in real) {
    const wanted = readOnly ? "an existing directory" : "an existing, writable directory";
    mistakes.push(`--dir=${quote(dir)} ${real.reason}, but must be ${wanted}; example: ${NAME} --dir=.`);
  }
  // On stdio, a PORT in the environment was meant for another program.
  const isHttp = (flags.transport ?? env.transport ?? "http") === "http";
  const port = flags.port ?? (isHttp ? env.port : undefined);
  if (port !== undefined && port < LEAST_FLAT_PORT) {
    const subject = flags.port === undefined ? "the environment variable PORT" : "--port";
    const example = `${flags.port === undefined ? "PORT" : "--port"}=${DEFAULTS.flatPort}`;
    const allowed = `a whole number from ${LEAST_FLAT_PORT} to 65535 with --dir`;
    mistakes.push(`${subject} is "${port}", but must be ${allowed}; example: ${example}`);
  }
  return {
    surface: { kind: "flat", dir: "value" in real ? real.value : dir },
    fileValues: {},
    configPath: undefined,
    transport: "http",
    port: DEFAULTS.flatPort,
    logFormat: "text",
    callLogLevel: "info",
  };
}

/**
 * Takes the directory named by a flag or the environment, and creates it if only its last part is missing.
 */
function workspacesFromDir(line: CommandLine, { mistakes }: Collected): SurfacePlan | undefined {
  const { flags, env } = line;
  const dir = flags["workspaces-root"] ?? env["workspaces-root"];
  if (dir === undefined) return undefined;
  if ((flags.transport ?? env.transport) === undefined) {
    const seen = line.mistakes.some((mistake) => /--transport|MCP_TRANSPORT/.test(mistake));
    if (!seen) mistakes.push(TRANSPORT_REQUIRED);
  }
  const readOnly = flags["read-only"] ?? false;
  if (!readOnly && mistakes.length === 0) createDirectory(dir);
  const real = readOnly ? realDirectory(dir) : writableDirectory(dir);
  if ("reason" in real) {
    const subject = flags["workspaces-root"] === undefined
      ? `the environment variable WORKSPACES_ROOT is ${quote(dir)}, which`
      : `--workspaces-root=${quote(dir)}`;
    const wanted = readOnly
      ? "an existing directory"
      : "a writable directory, or a new one inside an existing one";
    mistakes.push(`${subject} ${real.reason}, but must be ${wanted}; example: --workspaces-root=./data`);
  }
  return {
    surface: {
      kind: "workspaces",
      dir: "value" in real ? real.value : dir,
      toolNames: flags["tool-names"] ?? "plain",
    },
    fileValues: {},
    configPath: undefined,
    transport: "http",
    port: DEFAULTS.workspacesPort,
    logFormat: "text",
    callLogLevel: "debug",
  };
}

const TRANSPORT_REQUIRED =
  "--transport (or the environment variable MCP_TRANSPORT) is missing, but must be stdio or http with " +
  `--workspaces-root; examples:\n  ${NAME} --transport=stdio --workspaces-root=./data\n  ` +
  `${NAME} --transport=http --port=${DEFAULTS.workspacesPort} --workspaces-root=./data`;

/** Environment variables that the YAML parser reads. */
const YAML_VARIABLES = ["LOG_STREAM", "LOG_TOKENS"];

async function rootsFromFile(
  path: string,
  { knownTools, mistakes }: Collected,
): Promise<SurfacePlan | undefined> {
  if (!YAML_VARIABLES.every((variable) => isGranted({ name: "env", variable }))) {
    mistakes.push(
      `--config needs the permission --allow-env=${
        YAML_VARIABLES.join(",")
      }, which the process was started ` +
        `without; example: deno run --allow-env=${YAML_VARIABLES.join(",")} …`,
    );
    return undefined;
  }
  const { loadConfigFile } = await import("./config_file.ts");
  const tools = await knownTools("roots");
  const file = loadConfigFile(path, tools.map(({ name }) => name));
  mistakes.push(...file.mistakes);
  return {
    surface: {
      kind: "roots",
      roots: resolveRoots(file.roots, mistakes).map((root) =>
        isWritable(root, tools) ? root : { ...root, readOnly: true }
      ),
      maxFullReadSize: file.maxFullReadSize,
    },
    fileValues: file.values,
    configPath: path,
    transport: "http",
    port: DEFAULTS.port,
    logFormat: "json",
    callLogLevel: "info",
    undo: file.undo,
  };
}

interface Resolving {
  readonly line: CommandLine;
  readonly plan: SurfacePlan;
  readonly mistakes: string[];
}

function resolveTransport(values: FlagValues, { line, plan, mistakes }: Resolving): TransportConfig {
  if ((values.transport ?? plan.transport) === "stdio") {
    // stdio is only the default, and this flag means nothing there: the operator meant http.
    if (values.transport === undefined && line.mistakes.length === 0) {
      mistakes.push(...uselessFlags(line.flags));
    }
    return { kind: "stdio" };
  }
  mistakes.push(...line.httpMistakes);
  const token = resolveToken(values, line);
  if (token !== undefined && "reason" in token) mistakes.push(token.reason);
  return {
    kind: "http",
    host: values.host ?? DEFAULTS.host,
    port: values.port ?? plan.port,
    allowedHosts: values["allowed-hosts"] ?? [],
    corsOrigins: values["cors-origin"] ?? [],
    token: token !== undefined && "value" in token ? token.value : undefined,
  };
}

/** Here too a flag overrides the environment, which overrides the config file. */
function resolveToken(values: FlagValues, { flags, envToken }: CommandLine): Checked<string> | undefined {
  const fromFlag = flags["auth-token-file"];
  if (fromFlag !== undefined) return tokenFromFile(fromFlag, "--auth-token-file");
  if (envToken !== undefined) return tokenFromEnv(envToken);
  const fromFile = values["auth-token-file"];
  return fromFile === undefined ? undefined : tokenFromFile(fromFile, "auth_token_file");
}

function uselessFlags(flags: FlagValues): string[] {
  const records: readonly FlagRecord[] = FLAGS;
  return records
    .filter((flag) => flag.httpOnly && flag.name in flags)
    .map((flag) =>
      `--${flag.name} has no effect on stdio, but must come with --transport=http; example: ` +
      `${NAME} --transport=http ${flagExample(flag)} .`
    );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
