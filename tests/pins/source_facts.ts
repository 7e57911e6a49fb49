/**
 * What a source file imports and which powers it uses, read from its syntax tree (through a lint plugin, so that
 * comments, strings and types cannot mislead).
 */

export interface Import {
  /** As written. */
  specifier: string;
  dynamic: boolean;
  /** Whether it is declared to be of types alone, so that the file is not even read. */
  typesOnly: boolean;
}

export interface SourceFacts {
  imports: Import[];
  /** Members of `Deno` used as values: `openSync`, `permissions`. Types do not count. */
  deno: Set<string>;
  /** Global names used as values that a rule may concern: `console`, `new Worker`. */
  globals: Set<string>;
  /** What escapes these facts: a computed import, `Deno` passed on or destructured. */
  hidden: string[];
}

const WATCHED_GLOBALS = ["console", "globalThis", "process", "require", "eval", "Function"];

export function factsOf(source: string): SourceFacts {
  const facts: SourceFacts = { imports: [], deno: new Set(), globals: new Set(), hidden: [] };
  const importing = (specifier: unknown, dynamic: boolean, kind: "type" | "value" = "value") => {
    if (typeof specifier === "string") facts.imports.push({ specifier, dynamic, typesOnly: kind === "type" });
    else facts.hidden.push("an import whose specifier is not a literal");
  };
  const plugin: Deno.lint.Plugin = {
    name: "source-facts",
    rules: {
      all: {
        create: () => ({
          ImportDeclaration: (node) => importing(node.source.value, false, node.importKind),
          ExportAllDeclaration: (node) => importing(node.source.value, false, node.exportKind),
          ExportNamedDeclaration(node) {
            if (node.source !== null) importing(node.source.value, false, node.exportKind);
          },
          ImportExpression(node) {
            importing(node.source.type === "Literal" ? node.source.value : undefined, true);
          },
          NewExpression(node) {
            if (node.callee.type === "Identifier" && node.callee.name === "Worker") {
              facts.globals.add("new Worker");
            }
          },
          Identifier: (node) => useOf(node, facts),
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, "source.ts", source);
  return facts;
}

function useOf(node: Deno.lint.Identifier, facts: SourceFacts): void {
  const { parent } = node;
  const isMemberName = parent.type === "MemberExpression" && parent.property === node && !parent.computed;
  const isKey = parent.type === "Property" && parent.key === node && !parent.shorthand;
  if (isMemberName || isKey || parent.type.startsWith("TS")) return;
  if (WATCHED_GLOBALS.includes(node.name)) facts.globals.add(node.name);
  if (node.name !== "Deno") return;
  if (parent.type === "MemberExpression" && !parent.computed && parent.property.type === "Identifier") {
    facts.deno.add(parent.property.name);
  } else {
    facts.hidden.push("Deno itself, rather than one of its members");
  }
}
