/** What is wrong with a pattern, in the words of Go's regexp package: agents and people know them. */

export type PatternFault =
  | "invalid character class range"
  | "invalid escape sequence"
  | "invalid named capture"
  | "invalid or unsupported Perl syntax"
  | "invalid nested repetition operator"
  | "invalid repeat count"
  | "missing closing ]"
  | "missing closing )"
  | "missing argument to repetition operator"
  | "trailing backslash at end of expression"
  | "unexpected )"
  | "expression nests too deeply"
  | "expression too large";

/** A message is for reading: a fragment as long as a book is cut. */
const SHOWN = 1000;

export class PatternError extends Error {
  constructor(fault: PatternFault, fragment: string) {
    const shown = fragment.length > SHOWN ? `${fragment.slice(0, SHOWN).toWellFormed()}…` : fragment;
    super(`error parsing regexp: ${fault}: \`${shown}\``);
    this.name = "PatternError";
  }
}
