/**
 * What tells one file from another. File systems number them; the runtime gives these numbers as doubles, and those of
 * NTFS, ReFS and some overlays are larger than a double holds: there several files have the same. So the time of birth
 * counts as well where a number is that large. A file without a number is like no other.
 */

/** As the runtime tells of a file, or Node's file module. */
export interface Identity {
  readonly dev: number;
  readonly ino: number | null;
  readonly birthtime?: Date | null | undefined;
}

export function isSameFile(one: Identity, other: Identity): boolean {
  if (one.ino === null || one.ino !== other.ino || one.dev !== other.dev) return false;
  return Number.isSafeInteger(one.ino) || bornAt(one) === bornAt(other);
}

/** The same, where a mistake would cost a file: two names of one that has no exact number must look alike in every way. */
export function isSurelyOne(
  one: Deno.FileInfo | undefined,
  other: Deno.FileInfo | undefined,
): boolean {
  if (one === undefined || other === undefined || !isSameFile(one, other)) return false;
  if (Number.isSafeInteger(one.ino)) return true;
  return one.size === other.size && one.mtime?.getTime() === other.mtime?.getTime() &&
    one.isFile === other.isFile && one.nlink === other.nlink && (one.nlink ?? 1) > 1;
}

/** In a word, to be compared with others. */
export function identityWord(file: Identity): string {
  const { dev, ino } = file;
  return Number.isSafeInteger(ino) ? `${dev} ${ino}` : `${dev} ${ino} ${bornAt(file)}`;
}

/**
 * When it was born, for telling it from a later one whose number is the same; undefined where that says nothing. Numbers of
 * NTFS are not given twice. And what serves files to Windows in its place (Samba, wine) makes up the time of birth, from
 * that of the last change.
 */
export function bornFor(
  { ino, birthtime }: Identity,
  os: typeof Deno.build.os = Deno.build.os,
): number | undefined {
  if (os === "windows" && Number.isSafeInteger(ino)) return undefined;
  return birthtime?.getTime();
}

/** Where a file system keeps no time of birth, some tell of none and some of the first of 1970. */
function bornAt({ birthtime }: Identity): number {
  return birthtime?.getTime() ?? 0;
}
