/** Objects in files of their own, as git writes them: `objects/xx/…`. paddock writes packs (pack_writer.ts). */
import type { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import type { GitFolder } from "../git/git_folder.ts";
import { inflateStart } from "./inflate_start.ts";
import { damaged, type GitObject, parseObject } from "./objects.ts";

export function pathOfObject(oid: string): string {
  return `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

export function readLoose(git: GitFolder, oid: string): GitObject | undefined {
  const packed = git.read(pathOfObject(oid));
  if (packed === undefined) return undefined;
  let raw: Buffer;
  try {
    raw = inflateSync(packed);
  } catch {
    throw damaged(oid);
  }
  return parseObject(raw, oid);
}

/**
 * The header comes first in the inflated bytes; the description of the compression takes up to 300 bytes before
 * it.
 */
const START_BYTES = 512;
const HEADER_BYTES = 32;

export function sizeOfLoose(git: GitFolder, oid: string): number | undefined {
  const start = git.readStart(pathOfObject(oid), START_BYTES);
  if (start === undefined) return undefined;
  const header = inflateStart(start).toString("latin1", 0, HEADER_BYTES);
  const [, size] = /^[a-z]+ ([0-9]+)\0/.exec(header) ?? [];
  if (size === undefined) throw damaged(oid);
  return Number(size);
}
