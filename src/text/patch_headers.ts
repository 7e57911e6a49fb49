/**
 * What the lines before the hunks ask for besides changing content: another name, another mode. None of that
 * is carried out, and the answer says so.
 */

/** What a patch without a hunk may be instead; the last line that matches decides. */
const HUNKLESS: readonly [sign: RegExp, meaning: string][] = [
  [/^(GIT binary patch$|Binary files )/, "it is binary, and only text can be patched"],
  [/^(rename|copy) (from|to) /, "it only renames or copies a file, without changing its content"],
  [/^(new|deleted) file mode /, "it only creates or deletes an empty file"],
  [/^(old|new) mode /, "it only changes the mode of a file"],
  [/^(\*{15}|\*\*\* )/, "it is in another format; a unified diff is needed, as `diff -u` writes it"],
];

export function hunklessMeaning(lines: readonly string[]): string | undefined {
  return lines.flatMap((line) => HUNKLESS.find(([sign]) => sign.test(line))?.[1] ?? []).at(-1);
}

/** A regular file that is not executable, which is created anyway. */
const PLAIN = /^100[0-6][0-4][0-4]$/;

/** Takes the lines before the first hunk; those of the last file they name count. */
export function headerNotes(lines: readonly string[]): string[] {
  const begin = lines.findLastIndex((line) => line.startsWith("diff --git "));
  if (begin < 0) return [];
  const headers = lines.slice(begin);
  const value = (name: string) => headers.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const notes: string[] = [];
  for (const [kind, tool] of [["rename", "move"], ["copy", "copy"]] as const) {
    const [from, to] = [value(`${kind} from`), value(`${kind} to`)];
    if (from === undefined && to === undefined) continue;
    notes.push(
      `the patch says to ${kind} ${shown(from)} to ${
        shown(to)
      }: that was not done, only the content of the file ` +
        `was changed; use ${tool}`,
    );
  }
  const mode = value("new mode") ?? value("new file mode");
  if (mode !== undefined && (value("old mode") !== undefined || !PLAIN.test(mode))) {
    notes.push(
      `the patch gives the file the mode ${shown(mode)}: that was not done, the mode was left alone`,
    );
  }
  return notes;
}

function shown(value = "another name"): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value);
}
