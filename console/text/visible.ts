/** Makes foreign text trustworthy: characters that are invisible, or that reorder the text around them, get a label. */

export interface Piece {
  readonly text: string;
  /** The name of the character, if a label is shown instead of it. */
  readonly label: string | null;
}

/**
 * Control characters, format characters (bidi among them), separators, blanks other than a space, fillers, half
 * surrogate pairs.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\u{e0100}-\u{e01ef}]/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const ZERO_WIDTH_JOINER = "\u200d";

const NAMES: Readonly<Record<number, string>> = {
  0x1b: "ESC",
  0x7f: "DEL",
  0xa0: "NBSP",
  0xad: "SHY",
  0x61c: "ALM",
  0x200b: "ZWSP",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LSEP",
  0x2029: "PSEP",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM",
};

/** Splits text into parts shown as they are and parts shown as labels; tabs are kept if `tabs` is set. */
export function piecesOf(text: string, { tabs = false } = {}): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (tabs && character === "\t") continue;
    if (character === ZERO_WIDTH_JOINER && EMOJI.test(characterBefore(text, index))) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), label: null });
    pieces.push({ text: character, label: labelOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), label: null });
  return pieces;
}

function characterBefore(text: string, index: number): string {
  return [...text.slice(Math.max(0, index - 2), index)].at(-1) ?? "";
}

/** The text with its labels, for places that take only plain text: titles, names for screen readers. */
export function visibleText(text: string): string {
  return piecesOf(text).map(({ text, label }) => label === null ? text : `[${label}]`).join("");
}

function labelOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = NAMES[code];
  if (name !== undefined) return name;
  if (code < 0x20) return CONTROLS[code] ?? "";
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
    .split(" ");
