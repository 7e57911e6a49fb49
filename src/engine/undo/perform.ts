/**
 * Carries out one step of a plan in the root, or rolls it back: the same thing with its sides swapped. Checks once
 * more, under the file's lock and right before the change, that what is replaced is what was planned for.
 */
import { type Changing, lockOptions } from "../changing.ts";
import {
  ConfinedFile,
  linkNew,
  lstat,
  makeFolder,
  openFolder,
  type Ownership,
  removeEmptyFolder,
  rename,
  setOwnership,
  unlink,
} from "../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { atomicWrite, type Content } from "../atomic_write.ts";
import { contentOf } from "../content_of.ts";
import { insteadOf, isSaved, openSettled } from "../open_settled.ts";
import { isRespelling } from "../spelling.ts";
import { hashOpenFile } from "../hash.ts";
import { moveAcross } from "../move_across.ts";
import { TempSweeper } from "../temp_sweeper.ts";
import { withFiles } from "../with_locks.ts";
import { conflict, Elsewhere, Meanwhile } from "./conflict.ts";
import { lookAt, ownedOf } from "./look.ts";
import { placeOf, type Preparing } from "./prepare.ts";
import type { FileState, Move, Owned, Put, Splice, State, Step } from "./state.ts";

export interface Performing extends Preparing {
  readonly changing: Changing;
  /** Whether a move must be one rename: copying to another file system cannot be rolled back halfway. */
  readonly renamesOnly?: boolean;
}

export async function perform(step: Step, performing: Performing): Promise<void> {
  const path = placeOf(performing.store, step.path);
  if (step.op === "move") return await performMove(path, step, performing);
  if (step.op === "splice") {
    return await replaceFile(path, step, { performing, content: splicing(step, performing) });
  }
  await performPut(path, step, performing);
}

async function performPut(path: ConfinedPath, step: Put, performing: Performing): Promise<void> {
  const { before, after } = step;
  if (after.kind === "absent") return await remove(path, step, performing);
  if (after.kind === "folder") {
    makeFolder(path);
    const folder = openFolder(path);
    try {
      if (folder !== undefined) {
        await setOwnership(path, { ...after, mode: after.mode | 0o700, file: folder });
      }
    } finally {
      folder?.close();
    }
    return;
  }
  const { trash } = performing.store;
  if ("kept" in after && after.kept !== undefined && trash.has(after.kept)) {
    const isItself = after.kind !== "file" || isOwnedAs(after, lstat(trash.at(after.kept)));
    if (isItself && await giveBack(path, { before, kept: after.kept, performing })) return;
  }
  if (after.kind !== "file") throw conflict(step.path, "cannot be restored: it is no longer kept");
  const content = contentFor(after, performing);
  if (content === undefined) throw conflict(step.path, "cannot be restored: it is no longer kept");
  if (before.kind === "absent") return await createFile(path, { after, content, performing });
  await replaceFile(path, { ...step, before: before as FileState, after }, {
    performing,
    content: () => content,
  });
}

/** False for a copy, and for a file with another name whose mode was changed: those are copied. */
function isOwnedAs({ mode, uid, gid }: Owned, info: Deno.FileInfo | undefined): boolean {
  if (info === undefined) return false;
  const now = ownedOf(info);
  return now.mode === mode && now.uid === uid && now.gid === gid;
}

function contentFor({ hash, kept }: FileState, { store, bytes }: Performing): Content | undefined {
  const found = bytes(hash);
  if (found !== undefined || kept === undefined || !store.trash.has(kept)) return found;
  return async (write) => {
    using file = await ConfinedFile.open(store.trash.at(kept));
    const copying = contentOf(file, undefined);
    if (typeof copying === "function") await copying(write);
  };
}

/** Moves something from the trash to its place. False if that is on another file system. */
async function giveBack(
  path: ConfinedPath,
  { before, kept, performing }: { before: State; kept: string; performing: Performing },
): Promise<boolean> {
  const { store, changing } = performing;
  const from = store.trash.at(kept);
  if (before.kind === "absent" && lstat(from)?.isDirectory === false) {
    const outcome = linkNew(from, path); // never over something that has appeared there
    if (outcome === "linked") unlink(from);
    if (outcome === "taken") throw new Meanwhile(path.relative);
    if (outcome === "linked" || outcome === "elsewhere") return outcome === "linked";
  }
  if (before.kind === "absent" && lstat(path) !== undefined) {
    throw new Meanwhile(path.relative);
  }
  const files = before.kind === "file" ? [path] : [];
  return await withFiles(files, async () => {
    if (before.kind === "file") await mustBe(path, before);
    return rename(from, path);
  }, changing);
}

async function mustBe(path: ConfinedPath, expected: FileState): Promise<void> {
  const now = await lookAt(path);
  if (now.kind !== "file" || now.hash !== expected.hash) {
    throw new Meanwhile(path.relative);
  }
}

async function remove(
  path: ConfinedPath,
  { before, path: given }: Put,
  performing: Performing,
): Promise<void> {
  const { store, changing } = performing;
  if (before.kind === "folder") {
    new TempSweeper().sweep(path); // what a killed writer has left is no reason to keep the folder
    removeEmptyFolder(path);
  } else if (before.kind === "file") {
    await withFiles([path], async () => {
      using file = await openSettled(path, undefined);
      const { hash } = await hashOpenFile(file, { algorithm: "sha256" });
      if (hash !== before.hash || isSaved(file)) throw new Meanwhile(given);
      unlink(path);
    }, changing);
  } else if (before.kind !== "absent") {
    const kept = before.kept ?? store.trash.newName();
    if (!await store.trash.take(path, kept)) {
      throw new Elsewhere(given);
    }
  }
}

interface Creating {
  after: FileState;
  content: Content;
  performing: Performing;
}

async function createFile(path: ConfinedPath, { after, content, performing }: Creating): Promise<void> {
  const { sweeper } = performing.changing;
  using written = await atomicWrite(path, content, { sweeper, ownership: ownershipOf(after) });
  if (!written.done) throw new Meanwhile(path.relative);
}

type Replacing = Pick<Splice, "path" | "before" | "after">;

async function replaceFile(
  path: ConfinedPath,
  { path: given, before, after }: Replacing,
  { performing, content }: { performing: Performing; content: (file: ConfinedFile) => Content },
): Promise<void> {
  const { changing } = performing;
  await changing.locks.withFile(path, async () => {
    using file = await openSettled(path, undefined);
    const { hash } = await hashOpenFile(file, { algorithm: "sha256" });
    if (hash !== before.hash) throw new Meanwhile(given);
    const options = {
      sweeper: changing.sweeper,
      ownership: ownershipOf(after),
      insteadOf: insteadOf(file),
    };
    using written = await atomicWrite(path, content(file), options);
    if (!written.done) throw new Meanwhile(given);
  }, lockOptions(changing));
}

/** The file with a part of it replaced, piece by piece. */
function splicing({ offset, cut, add }: Splice, { bytes }: Performing): (file: ConfinedFile) => Content {
  const [out, put] = [bytes(cut), bytes(add)];
  return (file) => async (write) => {
    if (out === undefined || put === undefined) throw conflict(file.path.relative, "cannot be restored");
    await copyRange(file, { from: 0, to: offset }, write);
    await write(put);
    await copyRange(file, { from: offset + out.length, to: file.size }, write);
  };
}

const CHUNK = 256 * 1024;

async function copyRange(
  file: ConfinedFile,
  { from, to }: { from: number; to: number },
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let at = from; at < to;) {
    const buffer = new Uint8Array(Math.min(CHUNK, to - at));
    const read = file.readAt(buffer, at);
    if (read === 0) return;
    await write(buffer.subarray(0, read));
    at += read;
  }
}

async function performMove(path: ConfinedPath, step: Move, performing: Performing): Promise<void> {
  const dest = placeOf(performing.store, step.dest);
  if (lstat(dest) !== undefined && !isRespelling(path, dest)) throw new Meanwhile(step.dest);
  const files = lstat(path)?.isFile ? [path] : [];
  const { changing } = performing;
  await withFiles(files, async () => {
    if (rename(path, dest)) return;
    if (performing.renamesOnly) throw conflict(step.dest, "is on another file system; use move for it");
    await moveAcross(path, dest, changing);
  }, changing);
}

function ownershipOf({ mode, uid, gid }: Owned): Ownership {
  return { mode, uid, gid, exact: true };
}
