/** File modes as `ls -l` and `chmod` write them. */

export type EntryKind = "file" | "directory" | "symlink" | "other";

const KIND_LETTERS = { file: "-", directory: "d", symlink: "l" } as const;

/** By the type bits of the mode, for what is neither file, directory nor symlink. */
const OTHER_LETTERS: Readonly<Record<number, string>> = { 0o01: "p", 0o02: "c", 0o06: "b", 0o14: "s" };

/** Ten letters: "-rw-r--r--", "drwxrwxrwt". */
export function modeString(mode: number, kind: EntryKind): string {
  const letter = kind === "other" ? OTHER_LETTERS[(mode >> 12) & 0o17] ?? "?" : KIND_LETTERS[kind];
  return letter +
    triple(mode >> 6, (mode & 0o4000) !== 0 ? "s" : "") +
    triple(mode >> 3, (mode & 0o2000) !== 0 ? "s" : "") +
    triple(mode, (mode & 0o1000) !== 0 ? "t" : "");
}

/** Four digits: "0644", "4755". */
export function octalMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/** The special bit takes the place of the x, in upper case where there is no x. */
function triple(bits: number, special: string): string {
  const execute = (bits & 1) !== 0 ? special || "x" : special.toUpperCase() || "-";
  return ((bits & 4) !== 0 ? "r" : "-") + ((bits & 2) !== 0 ? "w" : "-") + execute;
}
