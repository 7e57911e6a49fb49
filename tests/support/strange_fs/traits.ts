/**
 * The ways in which a file system can differ from Linux's own, one by one. Plain data, so that it can be passed to a
 * process.
 */
export interface Traits {
  /** `A.txt` and `a.txt` are one name, and so are `é` in one and in two code points: NTFS, APFS. */
  foldsCase?: boolean;
  /** File ids beyond 2^53, so close together that they are all the same as a double: NTFS. */
  largeIds?: boolean;
  /** Whoever holds the lock of a file keeps every other handle from reading and writing it: LockFileEx. */
  mandatoryLocks?: boolean;
  /** Renaming over a file that is open anywhere is refused, as on FAT, and on Windows shares. */
  keepsOpenFiles?: boolean;
  /** A file has only one name. Windows reports the error that is EISDIR elsewhere. */
  noHardLinks?: boolean;
  /** Nothing can be flushed to disk: F_FULLFSYNC on macOS's SMB and FUSE. */
  noSync?: boolean;
  /** How often a file that was renamed to `scanned…` cannot be opened: a virus scanner has it open. */
  scans?: number;
}
