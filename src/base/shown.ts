/**
 * Text that others have chosen (names, paths, arguments) as it is shown in messages and logs: without what would
 * steer a terminal, end the line, turn the direction of writing, or not be seen. Every error's message goes through
 * here, so that no message has to think of it. JSON results keep names as they are.
 */

/** Control characters, format characters (bidi, zero-width), line and paragraph separators, lone surrogates. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const ALL_ODD = new RegExp(ODD, "gu");

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export interface ShownOptions {
  /** Whether line breaks and tabs stay: for text that is content, not a name. */
  lines?: boolean;
}

/** With each odd character escaped as JSON has it, so that text in JSON means the same as before. */
export function shown(text: string, { lines = false }: ShownOptions = {}): string {
  if (!ODD.test(text)) return text;
  return text.replace(ALL_ODD, (odd) => {
    const short = SHORT[odd];
    if (short !== undefined) return lines ? odd : short;
    return odd.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  });
}
