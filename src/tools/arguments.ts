/**
 * Checks a call's arguments and says what is wrong with them: which argument, what was given, what is
 * allowed. All mistakes are reported at once, up to a limit, so the answer stays short whatever was sent.
 */
import * as s from "./schema/mod.ts";
import { PaddockError } from "../base/errors.ts";

const MOST_MISTAKES = 10;

export function parseArguments(schema: s.Fielded, given: unknown): Record<string, unknown> {
  const args = given ?? {};
  if (typeof args !== "object" || Array.isArray(args)) {
    throw new PaddockError("INVALID_INPUT", `arguments must be an object, not ${show(args)}`, {
      forLog: "arguments must be an object",
    });
  }
  const { value, issues } = schema.check(args);
  if (issues === undefined) return value;
  const described = issues.slice(0, MOST_MISTAKES).flatMap((issue) => describe(issue, { args, schema }));
  const mistakes = described.slice(0, MOST_MISTAKES);
  const count = issues.reduce((sum, issue) => sum + mistakesIn(issue), 0);
  if (count > mistakes.length) mistakes.push(`and ${count - mistakes.length} more mistakes`);
  const wrong = issues.slice(0, MOST_MISTAKES).flatMap(namesIn).slice(0, MOST_MISTAKES);
  const forLog = `invalid arguments: ${wrong.join(", ")}`;
  throw new PaddockError("INVALID_INPUT", mistakes.join("; "), { data: { mistakes }, forLog });
}

function mistakesIn(issue: s.Issue): number {
  return issue.code === "unrecognized_keys" ? issue.keys.length : 1;
}

function namesIn(issue: s.Issue): string[] {
  const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
  return keys.length > 0 ? keys.map((key) => nameOf([...issue.path, key])) : [nameOf(issue.path)];
}

interface Given {
  args: object;
  schema: s.Fielded;
}

function describe(issue: s.Issue, { args, schema }: Given): string[] {
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    const of = issue.path.length === 0 ? "" : ` in ${nameOf(issue.path)}`;
    const which = of === "" ? "known arguments" : "known there";
    const hint = known.length === 0 ? "; this tool takes none" : `; ${which}: ${known.join(", ")}`;
    return issue.keys.map((key) => `unknown argument ${show(key)}${of}${hint}`);
  }
  const name = nameOf(issue.path);
  const value = valueAt(args, issue.path);
  if (name === "") return [issue.message];
  if (value === undefined && issue.code !== "custom") return [`${name} is required (${expected(issue)})`];
  if (issue.code === "custom") return [`${name} ${issue.message}`];
  if (!/^(Invalid|Too) /.test(issue.message)) return [issue.message]; // the tool's own wording
  if (!WORDED.has(issue.code)) return [`${name} is not valid: ${issue.message}; ${show(value)} was given`];
  return [`${name} must be ${expected(issue)}; ${show(value)} was given`];
}

/** The names allowed in an object inside the arguments. */
function keysAt(schema: s.Fielded, path: readonly PropertyKey[]): string[] {
  let at: s.Schema | undefined = schema;
  for (const part of path) {
    const here: s.Schema | undefined = at?.inner;
    at = here instanceof s.List
      ? here.item
      : here instanceof s.Fielded
      ? here.fields[String(part)]
      : undefined;
  }
  const here = at?.inner;
  return here instanceof s.Fielded ? Object.keys(here.fields) : [];
}

/** The kinds of issue that `expected` can describe. */
const WORDED: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "too_small", "too_big"]);

/** What an argument may be, in words. */
function expected(issue: s.Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1
        ? show(issue.values[0])
        : `one of: ${issue.values.map((value) => String(value)).join(", ")}`;
    case "too_small":
      return `${unit(issue.origin)} at least ${issue.minimum}`.trim();
    case "too_big":
      return `${unit(issue.origin)} at most ${issue.maximum}`.trim();
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function unit(origin: string): string {
  if (origin === "string") return "a string with a length of";
  if (origin === "array") return "a list with a length of";
  return "";
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map((part, i) =>
    typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${cut(String(part))}`
  )
    .join("");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** A value in a message: short, whatever was sent. */
function show(given: unknown): string {
  const value = typeof given === "string" ? given.slice(0, MOST_SHOWN) : given;
  return cut(JSON.stringify(value) ?? String(value));
}

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const MOST_SHOWN = 80;
