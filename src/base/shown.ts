/**
 * Text that others chose (names, paths, arguments) as messages and logs display it: without anything that
 * would control a terminal, end the line, reverse the writing direction, or be invisible. Every error message
 * passes through here, so no message has to take care of it. JSON results keep names as they are.
 */

/** Control characters, format characters (bidi, zero-width), line and paragraph separators, lone surrogates. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const ALL_ODD = new RegExp(ODD, "gu");

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export interface ShownOptions {
  /** Whether to keep line breaks and tabs: for text that is content, not a name. */
  lines?: boolean;
}

/** Escapes each odd character as JSON does, so text inside JSON keeps its meaning. */
export function shown(text: string, { lines = false }: ShownOptions = {}): string {
  if (!ODD.test(text)) return text;
  return text.replace(ALL_ODD, (odd) => {
    const short = SHORT[odd];
    if (short !== undefined) return lines ? odd : short;
    return odd.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  });
}
