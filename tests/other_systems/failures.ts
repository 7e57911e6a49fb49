/** The failures that `deno test` has printed, each with its name and what was said of it. */
import { stripVTControlCharacters } from "node:util";

export interface Failure {
  name: string;
  text: string;
}

const HEAD = /^(.+) => \.\/tests\/\S+:\d+:\d+$/;

export function failuresIn(printed: string): Failure[] {
  const text = stripVTControlCharacters(printed).replaceAll("\r", "");
  const from = text.indexOf("\n ERRORS \n");
  const to = text.lastIndexOf("\n FAILURES \n");
  if (from < 0 || to < from) return [];
  const failures: Failure[] = [];
  for (const line of text.slice(from, to).split("\n")) {
    const name = HEAD.exec(line)?.[1];
    if (name !== undefined) failures.push({ name, text: "" });
    else {
      const last = failures.at(-1);
      if (last !== undefined) last.text += `${line}\n`;
    }
  }
  return failures;
}
