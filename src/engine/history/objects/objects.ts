/**
 * Git's objects as bytes: the format of blobs and commits, and the hash that names them. Trees, which are
 * patched rather than rebuilt, are in tree.ts.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { PaddockError } from "../../../base/errors.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  readonly data: Buffer;
}

export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_LINK = 0o120000;
export const MODE_FOLDER = 0o040000;
export const MODE_REPOSITORY = 0o160000;

/** What precedes an object's data, both in its hash and in its file. */
export function headerOf(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`, "latin1");
}

/** The name of an object: 40 hexadecimal digits. */
export function hashObject(type: ObjectType, data: Uint8Array): string {
  return createHash("sha1").update(headerOf(type, data.length)).update(data).digest("hex");
}

/** Parses an inflated object: header and data. */
export function parseObject(raw: Buffer, name: string): GitObject {
  const end = raw.indexOf(0);
  const [type, size] = raw.toString("latin1", 0, end < 0 ? 0 : end).split(" ");
  const data = raw.subarray(end + 1);
  if (!isObjectType(type) || Number(size) !== data.length) throw damaged(name);
  return { type, data };
}

export function isObjectType(type: string | undefined): type is ObjectType {
  return type === "blob" || type === "tree" || type === "commit" || type === "tag";
}

export function damaged(name: string): PaddockError {
  return new PaddockError(
    "INTERNAL",
    `object ${name} of the workspace's history is missing or damaged; run "git fsck" there`,
  );
}

/** In a filtered clone git fetches missing objects on demand; paddock has no network. */
export class NotFetched extends PaddockError {
  constructor(name: string) {
    super(
      "UNSUPPORTED",
      `object ${name} is not in this repository, which is a partial clone (git clone --filter); to fetch it: ` +
        `"git cat-file -e ${name}" there, or "git fetch --refetch --no-filter" for everything`,
    );
  }
}

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <mail>`. */
  readonly author: string;
  /** In seconds since 1970. */
  readonly authorTime: number;
  readonly committerTime: number;
  /** Complete, without the trailing newline. */
  readonly message: string;
}

export function parseCommit(data: Buffer): Commit {
  const blank = data.indexOf("\n\n");
  const end = blank < 0 ? data.length : blank;
  const parents: string[] = [];
  let tree = "";
  let author = { name: "", time: 0 };
  let committer = author;
  for (const line of data.toString("utf8", 0, end).split("\n")) {
    if (line.startsWith("tree ")) tree = line.slice(5);
    else if (line.startsWith("parent ")) parents.push(line.slice(7));
    else if (line.startsWith("author ")) author = parsePerson(line.slice(7));
    else if (line.startsWith("committer ")) committer = parsePerson(line.slice(10));
  }
  return {
    tree,
    parents,
    author: author.name,
    authorTime: author.time,
    committerTime: committer.time,
    message: data.toString("utf8", Math.min(end + 2, data.length)).replace(/\n+$/, ""),
  };
}

/** In seconds: beyond this there is no date. Git shows such a commit as one of 1970, too. */
const LAST_TIME = 8_640_000_000_000;

/** `Name <mail> 1700000000 +0100`; the zone is that of the person's clock. */
function parsePerson(text: string): { name: string; time: number } {
  const end = text.lastIndexOf(">") + 1;
  const time = Number(text.slice(end).trim().split(" ")[0]);
  return { name: text.slice(0, end), time: Math.abs(time) <= LAST_TIME ? time : 0 };
}

export interface NewCommit {
  readonly tree: string;
  readonly parent: string | undefined;
  /** In seconds since 1970. */
  readonly time: number;
  readonly message: string;
  /** Who made the changes in it. */
  readonly author: string;
}

/** The committer, and the author of what tools change. */
export const IDENTITY = "paddock <paddock@localhost>";
/** The author of changes made without a tool. */
export const OUTSIDE = "outside paddock <outside@localhost>";

export function encodeCommit({ tree, parent, time, message, author }: NewCommit): Buffer {
  const above = parent === undefined ? "" : `parent ${parent}\n`;
  const people = `author ${author} ${time} +0000\ncommitter ${IDENTITY} ${time} +0000\n`;
  return Buffer.from(`tree ${tree}\n${above}${people}\n${message}\n`);
}

/** The same as `parseCommit` would return. */
export function commitOf({ tree, parent, time, message, author }: NewCommit): Commit {
  const parents = parent === undefined ? [] : [parent];
  return { tree, parents, author, authorTime: time, committerTime: time, message };
}
