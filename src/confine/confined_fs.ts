/**
 * All of the program's file I/O. Every function takes a ConfinedPath, and checks that what it touches is what
 * was resolved.
 */
export {
  createFile,
  discardTemp,
  makeFolder,
  type Ownership,
  removeEmptyFolder,
  removeUnnamed,
  setOwnership,
  syncFile,
  syncFolder,
  unlink,
} from "./changes.ts";
export { hasStrayed, isPlacedAs, knownAt, linkNew, NO_HARD_LINKS, removeKnown, rename } from "./moves.ts";
export { lstatChildren, statesOfChildren } from "./lstat_children.ts";
export { ProvenFolder } from "./proven_folder.ts";
export { isCurrent, openFolder, openForLock } from "./locking.ts";
export { LockedFile } from "./held_locks.ts";
export { type Identity, identityWord, isSameFile, isSurelyOne } from "../base/identity.ts";
export { ConfinedFile } from "./confined_file.ts";
export {
  type FolderEntries,
  type LinkTarget,
  linkTarget,
  lstat,
  readFolder,
  readFolderCounted,
  readFolderRaw,
  readFolderRawCounted,
  readFolderUnproven,
  readLink,
} from "./reading.ts";
export { replace, type Replaced } from "./replace.ts";
export { whyFixed } from "./why_fixed.ts";
export { type FileState, isSameState, stateOf, UnprovenFile, UnprovenFolder } from "./unproven.ts";
