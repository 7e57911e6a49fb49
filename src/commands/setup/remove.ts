/**
 * Removes one server from the text of a client's JSON configuration, and leaves every other byte as it is.
 */
import { createScanner, type Node } from "jsonc-parser";
import { type Addition, memberOf, type Merged, readTree } from "./merge.ts";

/** A server that is not there is no error: the text stays the same. */
export function removeServer(before: string, { key, name, comments }: Omit<Addition, "entry">): Merged {
  const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
  const text = before.slice(mark.length);
  if (text.trim() === "") return { text: before };
  const root = readTree(text, comments);
  if ("reason" in root) return root;
  const servers = memberOf(root.node, key);
  if (servers === "twice") return { reason: `has ${JSON.stringify(key)} twice` };
  if (servers === undefined) return { text: before };
  if (servers.type !== "object") return { reason: `has ${JSON.stringify(key)}, but not as an object` };
  const properties = servers.children ?? [];
  const at = properties.findIndex(({ children }) => children?.[0]?.value === name);
  if (at < 0) return { text: before };
  if (memberOf(servers, name) === "twice") return { reason: `has ${JSON.stringify(name)} twice` };
  return { text: mark + without(text, servers, at) };
}

interface Range {
  from: number;
  to: number;
}

function without(text: string, servers: Node, at: number): string {
  const properties = servers.children ?? [];
  const [before, property, after] = [properties[at - 1], properties[at], properties[at + 1]];
  if (property === undefined) return text;
  const end = property.offset + property.length;
  const comma = commaBetween(text, { from: end, to: after?.offset ?? servers.offset + servers.length - 1 });
  const cuts: Range[] = [wholeLines(text, { from: property.offset, to: comma?.to ?? end })];
  if (after === undefined && comma === undefined && before !== undefined) {
    const earlier = commaBetween(text, { from: before.offset + before.length, to: property.offset });
    if (earlier !== undefined) cuts.push(earlier);
  }
  return cuts.toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
}

/** A comma inside a comment does not count. */
function commaBetween(text: string, { from, to }: Range): Range | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (text[at] === ",") return { from: at, to: at + 1 };
  }
  return undefined;
}

/**
 * Extends the range over the indentation before it and the line break after it, if those lines hold nothing
 * else.
 */
function wholeLines(text: string, { from, to }: Range): Range {
  const indent = /(^|\n)[ \t]*$/.exec(text.slice(0, from));
  const rest = /^[ \t]*\r?\n/.exec(text.slice(to));
  if (indent === null || rest === null) return { from, to };
  return { from: indent.index + (indent[1] ?? "").length, to: to + rest[0].length };
}
