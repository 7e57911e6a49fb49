/**
 * A change meant for one content only: the client gives the sha256 of what it saw, and is refused if there is
 * something else by now. So two agents that read the same version cannot overwrite each other unnoticed. It is
 * checked while the file is locked, right before the change.
 */
import { PaddockError } from "../base/errors.ts";
import type { ConfinedFile } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { hashOpenFile, sha256 } from "./hash.ts";

export interface Expecting {
  /** In hexadecimal digits; undefined if any content will do. */
  expectedHash: string | undefined;
  /** The file as it is; undefined if there is none. */
  current: ConfinedFile | undefined;
  /** Its content, if that is in memory anyway. */
  bytes?: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** Throws a CONFLICT that says what is there now. */
export async function checkExpectedHash(path: ConfinedPath, expecting: Expecting): Promise<void> {
  const { current, bytes, signal } = expecting;
  const expected = expecting.expectedHash?.toLowerCase();
  if (expected === undefined) return;
  if (current === undefined) throw isGone(path.given, expected);
  const { hash, size } = bytes === undefined
    ? await hashOpenFile(current, { algorithm: "sha256", signal })
    : { hash: await sha256(bytes), size: bytes.length };
  if (hash !== expected) throw isOther(path.given, { expected, hash, size, mtimeMs: current.mtimeMs });
}

interface Found {
  expected: string;
  hash: string;
  size: number;
  /** Missing if the content is in no file yet. */
  mtimeMs?: number;
}

export function isOther(given: string, { expected, hash, size, mtimeMs }: Found): PaddockError {
  const modified = mtimeMs === undefined ? undefined : new Date(mtimeMs).toISOString();
  const when = modified === undefined ? "" : `, modified ${modified}`;
  return new PaddockError(
    "CONFLICT",
    `${quote(given)} does not match expected_hash: its hash is now ${hash}, ${size} bytes${when}; read it ` +
      "again before you change it",
    { data: { expected_hash: expected, hash, size, ...(modified === undefined ? {} : { modified }) } },
  );
}

export function isGone(given: string, expected: string): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `${
      quote(given)
    } does not match expected_hash: there is no such file now; leave out expected_hash to create it`,
    { data: { expected_hash: expected, hash: null, size: null, modified: null } },
  );
}
