/**
 * Turns YAML text into plain data, with the line of every part. Strict: a repeated key, an unknown tag, a
 * second document or an unresolved reference is a mistake, and references cannot multiply to exhaust memory.
 */
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { escapeHidden, quote } from "./mistakes.ts";

/** Limit on references (*name), enough for a file people write; a "billion laughs" needs far more. */
const MOST_ALIASES = 64;

export interface LineMistake {
  readonly line: number;
  readonly text: string;
}

export type YamlPath = readonly PropertyKey[];

export interface YamlFile {
  readonly data: unknown;
  readonly mistakes: readonly LineMistake[];
  /** Line of the value at the path, or of the innermost enclosing part that the file has. */
  lineOf(path: YamlPath): number;
  /** Line of a key in the map at the path. */
  lineOfKey(path: YamlPath, key: string): number;
}

export function parseYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const lineOf = (path: YamlPath) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? doc.contents : doc.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  };
  const lineOfKey = (path: YamlPath, key: string) => {
    const map = path.length === 0 ? doc.contents : doc.getIn(path, true);
    const pair = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : undefined;
    return isNode(pair?.key) && pair.key.range ? lineAt(pair.key.range[0]) : lineOf(path);
  };
  const syntax = syntaxMistakes(doc, { text, lineAt });
  const { data, mistakes } = syntax.length > 0 ? { data: undefined, mistakes: syntax } : toData(doc, lineAt);
  return { data, mistakes, lineOf, lineOfKey };
}

type LineAt = (offset: number) => number;

/** The first mistake of each line: others on the same line are mostly consequences. */
function syntaxMistakes(doc: Document, { text, lineAt }: { text: string; lineAt: LineAt }): LineMistake[] {
  const byLine = new Map<number, LineMistake>();
  for (const { code, message, pos } of [...doc.errors, ...doc.warnings]) {
    const line = lineAt(pos[0]);
    if (byLine.has(line)) continue;
    const key = code === "DUPLICATE_KEY" ? /^["']?([^"':\n]*)/.exec(text.slice(pos[0]))?.[1] ?? "" : "";
    byLine.set(line, { line, text: wording(code, { message, key }) });
  }
  return [...byLine.values()];
}

function wording(code: string, { message, key }: { message: string; key: string }): string {
  if (code === "DUPLICATE_KEY") return `the key ${quote(key.trim())} is given twice, but must be given once`;
  if (code === "MULTIPLE_DOCS") {
    return "a second YAML document begins here, but the file must contain only one";
  }
  if (code === "RESOURCE_EXHAUSTION") return "not valid YAML: nested too deeply";
  return `not valid YAML: ${escapeHidden(message)}`;
}

function toData(doc: Document, lineAt: LineAt): { data: unknown; mistakes: LineMistake[] } {
  const mistakes: LineMistake[] = [];
  let firstAlias = 1;
  let aliases = 0;
  visit(doc, {
    Alias(_key, alias) {
      const line = lineAt(alias.range?.[0] ?? 0);
      if (aliases++ === 0) firstAlias = line;
      if (alias.resolve(doc) === undefined) {
        mistakes.push({
          line,
          text: `${quote(`*${alias.source}`)} refers to nothing, but must name an &anchor above it`,
        });
      }
    },
  });
  if (mistakes.length > 0) return { data: undefined, mistakes };
  try {
    return { data: doc.toJS({ maxAliasCount: MOST_ALIASES }), mistakes };
  } catch (error) {
    // yaml throws this when references multiply.
    if (!(error instanceof ReferenceError)) throw error;
    const text = `too many references to anchors, but must be at most ${MOST_ALIASES} once expanded`;
    return { data: undefined, mistakes: [{ line: firstAlias, text }] };
  }
}
