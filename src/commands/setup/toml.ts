/**
 * A server in a client's TOML configuration: a table of its own, `[mcp_servers.paddock]`. The text is changed
 * line by line, so everything else stays as it is; the parser then checks that the result means exactly what
 * it should, and if it does not the file is left alone.
 */
import { parse } from "@std/toml/parse";
import type { Addition, Merged } from "./merge.ts";

type Table = Record<string, unknown>;

export function showToml({ key, name, entry }: Addition): string {
  return [`[${key}.${keyText(name)}]`, ...linesOf(entry)].join("\n");
}

export function mergeToml(before: string, wanted: Addition): Merged {
  const { key, name, entry } = wanted;
  const data = dataOf(before);
  if ("reason" in data) return data;
  const known = serversOf(data.table, key)?.[name];
  if (isTable(known) && Object.keys(entry).every((field) => isEqual(known[field], entry[field]))) {
    return { text: before };
  }
  const eol = before.includes("\r\n") ? "\r\n" : "\n";
  const block = tableOf(before, wanted);
  const text = block === undefined
    ? appended(before, showToml(wanted).replaceAll("\n", eol), eol)
    : replaceFields(before, { block, entry, eol });
  const meant = {
    ...data.table,
    [key]: { ...serversOf(data.table, key), [name]: { ...known as Table, ...entry } },
  };
  return checked(text, meant, name);
}

export function removeToml(before: string, wanted: Omit<Addition, "entry">): Merged {
  const { key, name } = wanted;
  const data = dataOf(before);
  if ("reason" in data) return data;
  const servers = serversOf(data.table, key);
  if (servers?.[name] === undefined) return { text: before };
  let text = before;
  for (let block = tableOf(text, wanted); block !== undefined; block = tableOf(text, wanted)) {
    text = text.slice(0, block.from) + text.slice(block.to);
  }
  const { [name]: _, ...others } = servers;
  const meant = { ...data.table, [key]: others };
  const isLast = Object.keys(others).length === 0;
  const without = Object.fromEntries(Object.entries(data.table).filter(([field]) => field !== key));
  const result = checked(text, meant, name);
  return "reason" in result && isLast ? checked(text, without, name) : result;
}

/** The text, if it parses to what is meant. */
function checked(text: string, meant: Table, name: string): Merged {
  const data = dataOf(text);
  if ("table" in data && isEqual(data.table, meant)) return { text };
  return {
    reason: `has ${JSON.stringify(name)} in a form that this command does not edit; change it by hand`,
  };
}

function dataOf(text: string): { table: Table } | { reason: string } {
  try {
    return { table: parse(text.replace(/^\ufeff/, "")) as Table };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { reason: `is not valid TOML (${why})` };
  }
}

function serversOf(table: Table, key: string): Table | undefined {
  return isTable(table[key]) ? table[key] : undefined;
}

interface Block {
  from: number;
  /** Where the lines with its fields begin. */
  fields: number;
  to: number;
}

/** The server's first table or sub-table, without comments at its end, which belong to the next table. */
function tableOf(text: string, { key, name }: Pick<Addition, "key" | "name">): Block | undefined {
  const plain = escaped(name);
  const header = new RegExp(
    `^[ \\t]*\\[[ \\t]*${
      escaped(key)
    }[ \\t]*\\.[ \\t]*(?:${plain}|"${plain}"|'${plain}')[ \\t]*(?:\\.[^\\]\\r\\n]*)?\\][^\\r\\n]*(?:\\r?\\n|$)`,
    "m",
  );
  const found = header.exec(text);
  if (found === null) return undefined;
  const fields = found.index + found[0].length;
  const next = /^[ \t]*\[/m.exec(text.slice(fields));
  const end = next === null ? text.length : fields + next.index;
  const comments = next === null
    ? ""
    : /(?:^[ \t]*(?:#[^\r\n]*)?\r?\n)*$/m.exec(text.slice(fields, end))?.[0] ?? "";
  return { from: found.index, fields, to: end - comments.length };
}

function replaceFields(
  text: string,
  { block, entry, eol }: { block: Block; entry: Addition["entry"]; eol: string },
): string {
  let body = text.slice(block.fields, block.to);
  const missing: string[] = [];
  for (const [field, value] of Object.entries(entry)) {
    const line = new RegExp(`^([ \\t]*)${escaped(field)}[ \\t]*=[ \\t]*(?:\\[[^\\]]*\\]|[^\\r\\n#]*)`, "m");
    if (!line.test(body)) missing.push(`${field} = ${valueText(value)}${eol}`);
    body = body.replace(line, (_, indent: string) => `${indent}${field} = ${valueText(value)}`);
  }
  const head = text.slice(0, block.fields);
  return head + (head.endsWith("\n") ? "" : eol) + missing.join("") + body + text.slice(block.to);
}

function appended(before: string, block: string, eol: string): string {
  if (before.trim() === "") return `${before.trimEnd()}${block}${eol}`;
  return `${before}${before.endsWith("\n") ? "" : eol}${eol}${block}${eol}`;
}

function linesOf(entry: Addition["entry"]): string[] {
  return Object.entries(entry).map(([field, value]) => `${field} = ${valueText(value)}`);
}

/** A JSON string is also a TOML string, except that TOML requires DEL to be escaped. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  return JSON.stringify(value).replaceAll("\x7f", "\\u007F");
}

function keyText(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
}

/** The order of keys does not matter. */
function inOrder(_key: string, value: unknown): unknown {
  return isTable(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1))
    : value;
}
