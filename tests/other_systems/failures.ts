/** The failures that `deno test` has printed, each with its file, its name and its message. */
import { stripVTControlCharacters } from "node:util";

export interface Failure {
  /** Relative to the repository. */
  file: string;
  /** Followed by the name of its step, if one failed. */
  name: string;
  text: string;
}

const HEAD = /^(?<name>.+) => \.\/(?<file>tests\/\S+):\d+:\d+$/;
/** Of a file whose other tests were not run for it. */
const UNCAUGHT = /^\.\/(?<file>tests\/\S+) \((?<name>uncaught error)\)$/;
/** What a test cannot be told apart by from one run to the next. */
const PASSING = /paddock-test-[0-9a-f]+/g;

export function failuresIn(printed: string): Failure[] {
  const text = stripVTControlCharacters(printed).replaceAll("\r", "");
  const from = text.indexOf("\n ERRORS \n");
  const to = text.lastIndexOf("\n FAILURES \n");
  if (from < 0 || to < from) return [];
  const failures: Failure[] = [];
  for (const line of text.slice(from, to).split("\n")) {
    const { name, file } = (HEAD.exec(line) ?? UNCAUGHT.exec(line))?.groups ?? {};
    const last = failures.at(-1);
    if (name !== undefined && file !== undefined) {
      failures.push({ file, name: name.replace(PASSING, ""), text: "" });
    } else if (last !== undefined) last.text += `${line}\n`;
  }
  return failures;
}
