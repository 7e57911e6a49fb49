/** What a file system can be like that is not like Linux's own, one by one. Plain data, so that a process can be given it. */
export interface Traits {
  /** `A.txt` and `a.txt` are one name, and so are `é` in one and in two code points: NTFS, APFS. */
  foldsCase?: boolean;
  /** File ids beyond 2^53, so close together that a double holds the same number for all of them: NTFS. */
  largeIds?: boolean;
  /** Who holds the lock of a file keeps every other handle from reading and writing it: LockFileEx. */
  mandatoryLocks?: boolean;
  /** Renaming over a file that is open anywhere is refused, as on FAT, and on Windows shares. */
  keepsOpenFiles?: boolean;
  /** A file has one name. Windows says so by the error that is EISDIR elsewhere. */
  noHardLinks?: boolean;
  /** Nothing can be flushed to the disk: F_FULLFSYNC on macOS' SMB and FUSE. */
  noSync?: boolean;
  /** How often a file that was renamed to `scanned…` cannot be opened: a virus scanner has it open. */
  scans?: number;
}
