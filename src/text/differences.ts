/**
 * How two texts differ that were meant to be the same: the slips people and models make when quoting a file.
 */

export const DIFFERENCES = ["line_endings", "indentation", "whitespace", "quotes", "case", "text"] as const;

export type Difference = typeof DIFFERENCES[number];

const SPACE = /[\s\u200b-\u200d\u2060]/g;
const QUOTE = /["'`\u00ab\u00b4\u00bb\u2018-\u201f\u2032\u2033\u2039\u203a]/g;

/** Both texts are folded, so any CR is a lone one. "text" is whatever none of the others covers. */
export function differences(wanted: string, found: string): Difference[] {
  const seen = new Set(compare(wanted.replaceAll("\r", "\n"), found.replaceAll("\r", "\n")));
  const isSameButCr = seen.size === 0 && wanted !== found;
  if (isSameButCr || wanted.includes("\r") !== found.includes("\r")) seen.add("line_endings");
  return DIFFERENCES.filter((difference) => seen.has(difference));
}

function compare(wanted: string, found: string): Difference[] {
  if (squeeze(wanted).text === squeeze(found).text) return compareMarks(wanted, found);
  const [a, b] = [wanted.split("\n"), found.split("\n")];
  if (a.length > 1 && a.length === b.length) return a.flatMap((line, i) => compare(line, b[i] ?? ""));
  return indentOf(wanted) === indentOf(found) ? ["text"] : ["indentation", "text"];
}

function compareMarks(wanted: string, found: string): Difference[] {
  const noSpace = (text: string) => text.replace(SPACE, "");
  const oneQuote = (text: string) => text.replace(QUOTE, '"');
  const lower = (text: string) => text.toLowerCase();
  const seen: Difference[] = [];
  if (oneQuote(noSpace(wanted)) !== oneQuote(noSpace(found))) seen.push("case");
  if (lower(noSpace(wanted)) !== lower(noSpace(found))) seen.push("quotes");
  const a = lower(oneQuote(wanted)).split("\n");
  const b = lower(oneQuote(found)).split("\n");
  if (a.length !== b.length) return [...seen, "whitespace"];
  const afterIndent = (line: string) => line.slice(indentOf(line).length);
  if (a.some((line, i) => indentOf(line) !== indentOf(b[i] ?? ""))) seen.push("indentation");
  if (a.some((line, i) => afterIndent(line) !== afterIndent(b[i] ?? ""))) seen.push("whitespace");
  return seen;
}

/** The indentation of the first line; a blank line has none. */
function indentOf(text: string): string {
  return /^[^\S\n]*(?=\S)/.exec(text)?.[0] ?? "";
}

export interface Squeezed {
  readonly text: string;
  /** For each character, its offset in the original. */
  readonly offsets: Uint32Array;
}

/** The text without what is easily got wrong: no whitespace, lower case, one kind of quotation mark. */
export function squeeze(text: string): Squeezed {
  const units = new Uint16Array(text.length);
  const offsets = new Uint32Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = squeezeUnit(text.charCodeAt(i));
    if (unit === 0) continue;
    units[length] = unit;
    offsets[length++] = i;
  }
  const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });
  return { text: decoder.decode(units.subarray(0, length)), offsets: offsets.subarray(0, length) };
}

const ASCII = Uint16Array.from({ length: 128 }, (_, unit) => squeezeCharacter(String.fromCharCode(unit)));

/** 0 for a unit that is left out. */
function squeezeUnit(unit: number): number {
  const isUnchanged = unit > 0x3000 && unit < 0xfe00;
  return ASCII[unit] ?? (isUnchanged ? unit : squeezeCharacter(String.fromCharCode(unit)));
}

function squeezeCharacter(character: string): number {
  const plain = character.replace(SPACE, "").replace(QUOTE, '"');
  const lower = plain.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : plain === "" ? 0 : plain.charCodeAt(0);
}
