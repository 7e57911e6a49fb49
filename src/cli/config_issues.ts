/**
 * Explains zod's issues in the program's own wording: the line, what was given, what is allowed, an example.
 */
import type { z } from "zod";
import { configFileSchema, LARGEST_FULL_READ, rootSchema, undoSchema } from "./config_schema.ts";
import { DEFAULTS, type FlagRecord, FLAGS } from "./flags.ts";
import { didYouMean, quote, refusal } from "./mistakes.ts";
import { allowedText, type ValueKind } from "./values.ts";
import type { LineMistake, YamlFile, YamlPath } from "./yaml_file.ts";

interface Rule {
  readonly allowed: string;
  readonly example: string;
  /** Why a text was refused, if its kind says so. */
  readonly reason?: (value: string) => string;
}

const SMALLEST_FILE = 'roots: [{ name: data, path: /srv/data, allowed_tools: ["*"] }]';

const FILE_RULE: Rule = { allowed: "a map with at least the key roots", example: SMALLEST_FILE };

const ROOT_RULES: Record<string, Rule> = {
  name: {
    allowed: "1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit",
    example: "name: workspace",
  },
  path: { allowed: "the path of a directory", example: "path: /srv/data" },
  allowed_tools: {
    allowed: 'a list of tool names with at least one entry, or ["*"] for all tools',
    example: "allowed_tools: [read_file, grep]",
  },
  protect_git: { allowed: "true or false", example: "protect_git: true" },
};

const ONE_ROOT_RULE: Rule = {
  allowed: "a map with the keys name, path and allowed_tools",
  example: '{ name: data, path: /srv/data, allowed_tools: ["*"] }',
};

const MB_RULE = "a whole number from 1 to 1048576";
const UNDO_RULES: Record<string, Rule> = {
  dir: { allowed: "the path of a folder", example: "undo: { dir: /var/lib/paddock }" },
  keep_days: { allowed: "a whole number from 1 to 3650", example: "undo: { keep_days: 30 }" },
  max_mb: { allowed: MB_RULE, example: "undo: { max_mb: 1024 }" },
  max_change_mb: { allowed: MB_RULE, example: "undo: { max_change_mb: 200 }" },
  exclude: { allowed: "a list of globs", example: 'undo: { exclude: ["*.log"] }' },
};

const UNDO_ALLOWED =
  "true, false, or a map with any of the keys dir, keep_days, max_mb, max_change_mb (whole numbers " +
  "from 1) and exclude (a list of globs)";

const UNDO_RULE: Rule = { allowed: UNDO_ALLOWED, example: "undo: true" };

const FILE_RULES: Record<string, Rule> = {
  ...flagRules(),
  max_full_read_size: {
    allowed: allowedText({ type: "integer", min: 1, max: LARGEST_FULL_READ }),
    example: `max_full_read_size: ${DEFAULTS.maxFullReadSize}`,
  },
  undo: UNDO_RULE,
  roots: { allowed: "a list of at least one root", example: SMALLEST_FILE },
};

export function explainIssues(issues: readonly z.core.$ZodIssue[], file: YamlFile): LineMistake[] {
  const seen = new Set<string>();
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey(key, { path: issue.path, file }));
    }
    const key = issue.path.map(String).join("\0");
    if (seen.has(key)) return [];
    seen.add(key);
    return [badValue(issue.path, file)];
  });
}

function badValue(path: YamlPath, file: YamlFile): LineMistake {
  const value = valueAt(file.data, path);
  const rule = ruleFor(path);
  const text = refusal(label(path, file.data), {
    problem: describe(value),
    allowed: rule.allowed,
    reason: typeof value === "string" && value !== "" ? rule.reason?.(value) : undefined,
    example: rule.example,
  });
  return { line: file.lineOf(path), text };
}

function unknownKey(key: string, { path, file }: { path: YamlPath; file: YamlFile }): LineMistake {
  const known = Object.keys(shapeAt(path));
  const where = path.length === 0 ? "" : `${label(path, file.data)}: `;
  const [first] = path;
  const example = first === undefined
    ? SMALLEST_FILE
    : first === "undo"
    ? "undo: { keep_days: 30 }"
    : ONE_ROOT_RULE.example;
  return {
    line: file.lineOfKey(path, key),
    text: `${where}unknown key ${quote(key)}${didYouMean(key, known)}; allowed: ${known.join(", ")}; ` +
      `example: ${example}`,
  };
}

function shapeAt([first]: YamlPath): object {
  if (first === undefined) return configFileSchema.shape;
  return first === "undo" ? undoSchema.shape : rootSchema.shape;
}

function ruleFor(path: YamlPath): Rule {
  const [key, index, rootKey] = path;
  if (key === "undo" && index !== undefined) return UNDO_RULES[String(index)] ?? UNDO_RULE;
  if (key === undefined) return FILE_RULE;
  if (key !== "roots" || index === undefined) return FILE_RULES[String(key)] ?? FILE_RULE;
  return ROOT_RULES[String(rootKey)] ?? ONE_ROOT_RULE;
}

/** `port`, `root "data": path`, `root number 2` */
function label(path: YamlPath, data: unknown): string {
  const [key, index, rootKey] = path;
  if (key === undefined) return "the file";
  if (key === "undo" && index !== undefined) return `undo: ${String(index)}`;
  if (key !== "roots" || typeof index !== "number") return String(key);
  const name = valueAt(data, ["roots", index, "name"]);
  const root = typeof name === "string" && name !== "" ? `root ${quote(name)}` : `root number ${index + 1}`;
  return rootKey === undefined ? root : `${root}: ${String(rootKey)}`;
}

function describe(value: unknown): string {
  if (value === undefined) return "is missing";
  if (value === null) return "is empty";
  if (typeof value === "string") return `is ${quote(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? "is an empty list" : "is a list";
  return typeof value === "object" ? "is a map" : `is ${String(value)}`;
}

function valueAt(data: unknown, path: YamlPath): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function flagRules(): Record<string, Rule> {
  const rules: Record<string, Rule> = {};
  const records: readonly FlagRecord[] = FLAGS;
  for (const { fileKey, kind, example } of records) {
    if (fileKey === undefined) continue;
    const shown = kind.type === "list" ? `[${quote(example ?? "")}]` : example ?? "true";
    rules[fileKey] = {
      allowed: kind.type === "list"
        ? `a list of ${allowedText(kind).replace(/,.*$/, "")}`
        : allowedText(kind),
      example: `${fileKey}: ${shown}`,
      reason: (value) => reasonOf(kind, value),
    };
  }
  return rules;
}

function reasonOf(kind: ValueKind, value: string): string {
  if (kind.type !== "text" && kind.type !== "list") return "";
  const checked = kind.check(value);
  return "reason" in checked ? checked.reason : "";
}
