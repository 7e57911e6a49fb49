/**
 * What a sparse checkout leaves out: files in the history but not on disk. Their place looks free on disk; so a
 * change that would take it, and drop them from the history, is refused.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { fromBytes } from "../objects/byte_names.ts";
import type { Disk } from "./disk.ts";
import type { IndexFile } from "../index/index_file.ts";

export interface LeftOutContext {
  readonly index: IndexFile;
  readonly disk: Disk;
}

/** The reason given for skipping them. */
export const LEFT_OUT = "it is left out of the sparse checkout";

/** The first left-out file in the way of a file: above it or below it. Byte strings. */
export function leftOutBy(name: string, { index, disk }: LeftOutContext): string | undefined {
  const isLeftOut = (one: string) => index.isSkipped(one) && disk.stat(fromBytes(one)) === undefined;
  for (let cut = name.indexOf("/"); cut > 0; cut = name.indexOf("/", cut + 1)) {
    if (isLeftOut(name.slice(0, cut))) return name.slice(0, cut);
  }
  for (const below of index.namesBelow(name)) if (below !== name && isLeftOut(below)) return below;
  return undefined;
}

/**
 * Throws if a left-out file is in the way; with `isNew` also if it has this very name: it would be replaced
 * unnoticed.
 */
export function checkLeftOut(
  name: string,
  { isNew = false, ...context }: LeftOutContext & { readonly isNew?: boolean },
): void {
  const isTaken = isNew && context.index.isSkipped(name);
  const found = isTaken ? name : leftOutBy(name, context);
  if (found === undefined) return;
  throw new PaddockError(
    "ALREADY_EXISTS",
    `${quote(fromBytes(found))} is in the history but left out of the workspace's sparse checkout, and ` +
      `${quote(fromBytes(name))} would take its place; choose another name, or run ` +
      '"git sparse-checkout disable" there first',
  );
}
