/**
 * The indentation style of a text (tabs, or a number of spaces), and conversion to another style. A model
 * that replaces something within a line has not seen how the file is indented, and guesses.
 */

export type Indentation = { readonly kind: "tabs" } | { readonly kind: "spaces"; readonly width: number };

/** Narrower steps are alignment, as in ` * ` of a comment. */
const LEAST_WIDTH = 2;

/** Undefined where lines are indented in both ways, in irregular steps, or not at all. */
export function indentationOf(text: string): Indentation | undefined {
  let tabs = 0;
  let spaces = 0;
  let width = 0;
  for (const [indent] of text.matchAll(/(?<![^\n])[\t ]+(?=[^\s])/g)) {
    if (!indent.includes(" ")) tabs++;
    else if (indent.includes("\t")) return undefined;
    else if (indent.length >= LEAST_WIDTH) {
      spaces++;
      width = commonWidth(width, indent.length);
    }
  }
  if (tabs > 0 && spaces === 0) return { kind: "tabs" };
  return tabs === 0 && spaces > 0 && width >= LEAST_WIDTH ? { kind: "spaces", width } : undefined;
}

/** The text with its indentation converted to the wanted style; unchanged where its own style is unclear. */
export function reindent(text: string, wanted: Indentation): string {
  const own = indentationOf(text);
  if (own === undefined || own.kind === wanted.kind) return text;
  const from = own.kind === "tabs" ? "\t" : " ".repeat(own.width);
  const to = wanted.kind === "tabs" ? "\t" : " ".repeat(wanted.width);
  return text.replace(/(?<![^\n])[\t ]+/g, (indent) => {
    const steps = indent.length / from.length;
    return Number.isInteger(steps) && indent === from.repeat(steps) ? to.repeat(steps) : indent;
  });
}

function commonWidth(a: number, b: number): number {
  return b === 0 ? a : commonWidth(b, a % b);
}
