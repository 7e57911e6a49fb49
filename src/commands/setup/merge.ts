/**
 * Adds one server to the text of a client's configuration and leaves every other byte as it is: comments,
 * indentation, line endings, the order of keys. A library parses; the edits are computed here, because the
 * library's own would reformat the neighbours.
 */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

export interface Addition {
  /** The key of the object that holds the servers. */
  readonly key: string;
  /** The server's name in it. */
  readonly name: string;
  /** The fields to set; other fields of the server stay. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Whether comments and trailing commas are allowed. */
  readonly comments: boolean;
}

/** The new text, or why the file is left alone, as a predicate of the file. */
export type Merged = { readonly text: string } | { readonly reason: string };

const BOM = "\ufeff";

export function mergeServer(before: string, wanted: Addition): Merged {
  const { key, name, entry, comments } = wanted;
  const mark = before.startsWith(BOM) ? BOM : "";
  const text = before.slice(mark.length);
  const style = styleOf(text);
  if (text.trim() === "") {
    const whole = pretty({ [key]: { [name]: entry } }, { ...style, depth: 0 });
    return { text: `${mark}${whole}${style.eol}` };
  }
  const root = readTree(text, comments);
  if ("reason" in root) return root;
  const edits: Edit[] = [];
  const servers = memberOf(root.node, key);
  if (servers === "twice") return { reason: `has ${JSON.stringify(key)} twice` };
  if (servers === undefined) {
    edits.push(...addition(text, root.node, { key, value: { [name]: entry }, depth: 1, style }));
  } else if (servers.type !== "object") {
    return { reason: `has ${JSON.stringify(key)}, but not as an object` };
  } else {
    const server = memberOf(servers, name);
    if (server === "twice") return { reason: `has ${JSON.stringify(name)} twice` };
    if (server === undefined) {
      edits.push(...addition(text, servers, { key: name, value: entry, depth: 2, style }));
    } else if (server.type !== "object") {
      edits.push(replacement(server, pretty(entry, { ...style, depth: 2 })));
    } else edits.push(...changes(text, server, { entry, style }));
  }
  // Again: several properties may be missing, and this also parses the result as the client will.
  return edits.length === 0 ? { text: before } : mergeServer(mark + applied(text, edits), wanted);
}

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly content: string;
}

interface Style {
  readonly indent: string;
  readonly eol: string;
}

interface Property {
  readonly key: string;
  readonly value: unknown;
  /** The property's nesting depth. */
  readonly depth: number;
  readonly style: Style;
}

export function readTree(text: string, comments: boolean): { node: Node } | { reason: string } {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: comments, disallowComments: !comments };
  const node = parseTree(text, errors, options);
  const [first] = errors;
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split("\n");
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    return { reason: `is not valid JSON (${place}: ${printParseErrorCode(first.error)})` };
  }
  return node?.type === "object" ? { node } : { reason: "is JSON, but not an object" };
}

export function memberOf(object: Node, name: string): Node | "twice" | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  return found.length > 1 ? "twice" : found[0]?.children?.[1];
}

/** Adds a property at the end of an object. */
function addition(text: string, object: Node, property: Property): Edit[] {
  const { style, depth } = property;
  const outer = style.indent.repeat(depth - 1);
  const line = `${style.eol}${style.indent.repeat(depth)}${JSON.stringify(property.key)}: ${
    pretty(property.value, { ...style, depth })
  }`;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const inside = text.slice(object.offset + 1, object.offset + object.length - 1).trimEnd();
    const at = object.offset + 1 + inside.length;
    const end = object.offset + object.length - 1;
    return [{ at, length: end - at, content: `${line}${style.eol}${outer}` }];
  }
  const end = last.offset + last.length;
  // A comment after the last property belongs to that property.
  const comment = /^([ \t]*,)?[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*\*\/[ \t]*)(?=\r?\n)/.exec(text.slice(end));
  if (comment === null) return [{ at: end, length: 0, content: `,${line}` }];
  return [
    ...(comment[1] === undefined ? [{ at: end, length: 0, content: "," }] : []),
    { at: end + comment[0].length, length: 0, content: line },
  ];
}

/** Sets the entry's fields and leaves others alone; adds only the first missing field. */
function changes(
  text: string,
  server: Node,
  { entry, style }: Pick<Addition, "entry"> & { style: Style },
): Edit[] {
  const edits: Edit[] = [];
  for (const [key, value] of Object.entries(entry)) {
    const member = memberOf(server, key);
    if (member === "twice") return [replacement(server, pretty(entry, { ...style, depth: 2 }))];
    if (member === undefined) return [...edits, ...addition(text, server, { key, value, depth: 3, style })];
    if (JSON.stringify(getNodeValue(member)) === JSON.stringify(value)) continue;
    edits.push(replacement(member, pretty(value, { ...style, depth: 3 })));
  }
  return edits;
}

function replacement({ offset, length }: Node, content: string): Edit {
  return { at: offset, length, content };
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { at, length, content } of edits.toSorted((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + content + result.slice(at + length);
  }
  return result;
}

function styleOf(text: string): Style {
  const indent = /^[^{]*\{[ \t]*\r?\n([ \t]+)["/]/.exec(text)?.[1] ?? "  ";
  return { indent, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function pretty(value: unknown, { indent, eol, depth }: Style & { depth: number }): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + indent.repeat(depth));
}
