/**
 * Tells files apart, and what is at a path from what was there before. A stamp says briefly which file it was and
 * in what state. It cannot detect a change in place of the same size, made within one tick of the clock of the
 * change before it; paddock's own writes always create a new file.
 */

import { identityWord, isSameFile } from "../base/identity.ts";

/** Whether two stats are of one file or folder. */
export function isOne(a: Deno.FileInfo | undefined, b: Deno.FileInfo | undefined): boolean {
  return a !== undefined && b !== undefined && isSameFile(a, b);
}

/** By absolute path. */
export type Stamps = Map<string, string>;

export function stampOf(info: Deno.FileInfo): string {
  const { mtime, size, isFile } = info;
  return `${isFile ? "file" : "other"} ${identityWord(info)} ${mtime?.getTime()} ${size}`;
}
