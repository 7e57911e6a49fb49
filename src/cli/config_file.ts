/**
 * The YAML config file: read, checked, and every mistake in it reported with its line. Loaded only when a
 * config file is named, because the YAML parser is the slowest import at startup. A file with any mistake
 * yields no configuration at all: a broken allowlist must never be read as "allow all".
 */
import { dirname } from "@std/path/dirname";
import { isAbsolute } from "@std/path/is-absolute";
import { join } from "@std/path/join";
import { NAME } from "../base/version.ts";
import { configFileSchema } from "./config_schema.ts";
import { explainIssues } from "./config_issues.ts";
import { DEFAULTS, type FlagRecord, FLAGS, type FlagValues } from "./flags.ts";
import { didYouMean, quote } from "./mistakes.ts";
import { readSmallFile } from "./read_file.ts";
import type { RootCandidate } from "./root_dirs.ts";
import type { z } from "zod";
import type { UndoFileSettings } from "./undo.ts";
import { checkItems, type FlagValue, readText } from "./values.ts";
import { parseYaml, type YamlFile } from "./yaml_file.ts";

const LARGEST_FILE = 1024 * 1024;

export interface ConfigFile {
  readonly values: FlagValues;
  readonly roots: readonly RootCandidate[];
  readonly maxFullReadSize: number;
  readonly undo?: UndoFileSettings | undefined;
  readonly mistakes: readonly string[];
}

const NOTHING = { values: {}, roots: [], maxFullReadSize: DEFAULTS.maxFullReadSize };

export function loadConfigFile(path: string, knownTools: readonly string[]): ConfigFile {
  const read = readSmallFile(path, LARGEST_FILE);
  if ("reason" in read) {
    const mistake = `the config file ${quote(path)} ${read.reason}, but must be a YAML file; example: ` +
      `${NAME} --config=paddock.yaml`;
    return { ...NOTHING, mistakes: [mistake] };
  }
  const file = parseYaml(read.value);
  const at = (line: number) => `${path}:${line}: `;
  if (file.mistakes.length > 0) {
    return { ...NOTHING, mistakes: file.mistakes.map(({ line, text }) => at(line) + text) };
  }
  return readSettings(file, { folder: dirname(path), at, knownTools });
}

interface Context {
  folder: string;
  at: (line: number) => string;
  knownTools: readonly string[];
}

function readSettings(file: YamlFile, context: Context): ConfigFile {
  const checked = configFileSchema.safeParse(file.data);
  const found = explainIssues(checked.error?.issues ?? [], file);
  const roots = looseRoots(file.data);
  found.push(
    ...duplicateNames(roots, file),
    ...unknownTools(roots, { file, knownTools: context.knownTools }),
  );
  found.sort((a, b) => a.line - b.line);
  return {
    values: checked.success ? flagValues(checked.data, context.folder) : {},
    roots: roots.flatMap((root, index) => rootCandidate(root, { ...context, index, file })),
    maxFullReadSize: checked.data?.max_full_read_size ?? DEFAULTS.maxFullReadSize,
    undo: undoSettings(checked.data?.undo, context.folder),
    mistakes: found.map(({ line, text }) => context.at(line) + text),
  };
}

function undoSettings(
  given: z.output<typeof configFileSchema>["undo"],
  folder: string,
): UndoFileSettings | undefined {
  if (given === undefined || typeof given === "boolean") {
    return given === undefined ? undefined : { on: given };
  }
  const { dir, keep_days, max_mb, max_change_mb, exclude } = given;
  return {
    on: true,
    dir: dir === undefined ? undefined : fromFolder(folder, dir),
    keepDays: keep_days,
    maxMb: max_mb,
    maxChangeMb: max_change_mb,
    exclude,
  };
}

/** A root as far as it could be read: a part of the wrong type is left out here and reported elsewhere. */
interface LooseRoot {
  name?: string;
  path?: string;
  tools: unknown[];
  protectGit: boolean;
}

function looseRoots(data: unknown): LooseRoot[] {
  const roots = isRecord(data) && Array.isArray(data.roots) ? data.roots : [];
  return roots.map((root: unknown) => {
    if (!isRecord(root)) return { tools: [], protectGit: true };
    return {
      ...(typeof root.name === "string" ? { name: root.name } : {}),
      ...(typeof root.path === "string" && root.path !== "" ? { path: root.path } : {}),
      tools: Array.isArray(root.allowed_tools) ? root.allowed_tools : [],
      protectGit: root.protect_git !== false,
    };
  });
}

function rootCandidate(root: LooseRoot, where: Context & { index: number; file: YamlFile }): RootCandidate[] {
  const { name = `number ${where.index + 1}`, path } = root;
  if (path === undefined) return [];
  const line = where.file.lineOf(["roots", where.index, "path"]);
  const full = fromFolder(where.folder, path);
  return [{
    name,
    path: full,
    allowedTools: [...new Set(root.tools.filter((tool) => typeof tool === "string"))],
    protectGit: root.protectGit,
    subject: `${where.at(line)}root ${quote(name)}: path ${quote(path)}${
      full === path ? "" : ` (${quote(full)})`
    }`,
    example: "path: /srv/data",
  }];
}

function duplicateNames(roots: readonly LooseRoot[], file: YamlFile) {
  const lines = new Map<string, number>();
  return roots.flatMap(({ name }, index) => {
    if (name === undefined) return [];
    const line = file.lineOf(["roots", index, "name"]);
    const first = lines.get(name);
    if (first === undefined) {
      lines.set(name, line);
      return [];
    }
    const text = `duplicate root name ${quote(name)} (first on line ${first}), but must be unique; ` +
      `example: name: ${name}-2`;
    return [{ line, text }];
  });
}

function unknownTools(roots: readonly LooseRoot[], where: { file: YamlFile; knownTools: readonly string[] }) {
  const { file, knownTools } = where;
  return roots.flatMap(({ name, tools }, index) =>
    tools.flatMap((tool, position) => {
      if (typeof tool !== "string" || tool === "" || tool === "*" || knownTools.includes(tool)) return [];
      const line = file.lineOf(["roots", index, "allowed_tools", position]);
      const root = name === undefined ? "" : `root ${quote(name)}: `;
      const text = `${root}unknown tool ${quote(tool)}${didYouMean(tool, knownTools)}; allowed: *, ` +
        `${knownTools.join(", ")}; example: allowed_tools: [read_file, grep]`;
      return [{ line, text }];
    })
  );
}

/** The keys that are also flags, by flag name, in the form the command line would give. */
function flagValues(data: Record<string, unknown>, folder: string): FlagValues {
  const values: Record<string, FlagValue> = {};
  const records: readonly FlagRecord[] = FLAGS;
  for (const { name, fileKey, kind } of records) {
    const given = fileKey === undefined ? undefined : data[fileKey];
    if (given === undefined) continue;
    const checked = kind.type === "list" && Array.isArray(given)
      ? checkItems(kind, given.map(String))
      : readText(kind, String(given));
    if ("value" in checked) values[name] = checked.value;
  }
  const tokenFile = values["auth-token-file"];
  if (typeof tokenFile === "string") values["auth-token-file"] = fromFolder(folder, tokenFile);
  return values as FlagValues;
}

function fromFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
