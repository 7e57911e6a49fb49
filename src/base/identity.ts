/**
 * What distinguishes one file from another. File systems number them; the runtime gives these numbers as
 * doubles, and those of NTFS, ReFS and some overlays are too large for a double, so several files can share
 * one. For numbers that large the birth time counts as well. A file without a number equals no other.
 */

/** As the runtime or Node's file module describes a file. */
export interface Identity {
  readonly dev: number;
  readonly ino: number | null;
  readonly birthtime?: Date | null | undefined;
}

export function isSameFile(one: Identity, other: Identity): boolean {
  if (one.ino === null || one.ino !== other.ino || one.dev !== other.dev) return false;
  return Number.isSafeInteger(one.ino) || bornAt(one) === bornAt(other);
}

/**
 * The same, where a mistake would cost a file: two names of a file without an exact number must match in
 * every way.
 */
export function isSurelyOne(
  one: Deno.FileInfo | undefined,
  other: Deno.FileInfo | undefined,
): boolean {
  if (one === undefined || other === undefined || !isSameFile(one, other)) return false;
  if (Number.isSafeInteger(one.ino)) return true;
  return one.size === other.size && one.mtime?.getTime() === other.mtime?.getTime() &&
    one.isFile === other.isFile && one.nlink === other.nlink && (one.nlink ?? 1) > 1;
}

/** As one string, for comparison. */
export function identityWord(file: Identity): string {
  const { dev, ino } = file;
  return Number.isSafeInteger(ino) ? `${dev} ${ino}` : `${dev} ${ino} ${bornAt(file)}`;
}

/**
 * The birth time, to distinguish a file from a later one with the same number; undefined where it says
 * nothing. NTFS does not reuse numbers, and file servers that stand in for Windows (Samba, wine) derive the
 * birth time from the last change.
 */
export function bornFor(
  { ino, birthtime }: Identity,
  os: typeof Deno.build.os = Deno.build.os,
): number | undefined {
  if (os === "windows" && Number.isSafeInteger(ino)) return undefined;
  return birthtime?.getTime();
}

/** Where a file system keeps no birth time, some report none and some report 1 January 1970. */
function bornAt({ birthtime }: Identity): number {
  return birthtime?.getTime() ?? 0;
}
