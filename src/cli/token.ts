/**
 * The bearer token, from a file or the environment. It never appears in a message: a message that quoted it
 * would put it into logs and terminals.
 */
import { quote } from "./mistakes.ts";
import { readSmallFile } from "./read_file.ts";
import type { Checked } from "./values.ts";

const SHORTEST = 16;
const LONGEST = 4096;

export const TOKEN_RULE =
  `${SHORTEST} to ${LONGEST} printable ASCII characters without spaces; example: openssl rand -hex 32 > FILE`;

/** Reads the token file; a line break at its end is not part of the token. */
export function tokenFromFile(path: string, subject: string): Checked<string> {
  const read = readSmallFile(path, LONGEST + 2);
  if ("reason" in read) {
    return { reason: `${subject} names ${quote(path)}, which ${read.reason}; it must hold ${TOKEN_RULE}` };
  }
  const checked = checkToken(read.value.replace(/\r?\n$/, ""));
  if ("value" in checked) return checked;
  return {
    reason: `${subject} names ${quote(path)}, whose content ${checked.reason}; it must be ${TOKEN_RULE}`,
  };
}

export function tokenFromEnv(token: string): Checked<string> {
  const checked = checkToken(token);
  if ("value" in checked) return checked;
  return { reason: `the environment variable PADDOCK_TOKEN ${checked.reason}; it must be ${TOKEN_RULE}` };
}

function checkToken(token: string): Checked<string> {
  if (token === "") return { reason: "is empty" };
  if (!/^[!-~]*$/.test(token)) return { reason: "has a space or a character that is not printable ASCII" };
  if (token.length < SHORTEST) return { reason: `is only ${token.length} characters long` };
  if (token.length > LONGEST) return { reason: `is longer than ${LONGEST} characters` };
  return { value: token };
}
