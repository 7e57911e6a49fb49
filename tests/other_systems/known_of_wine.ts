/**
 * What wine 10 gets wrong, and the very tests that fail for it. Any other failure is ours; and a test of these that does
 * not fail any more does not belong here any more.
 */
import type { Failure } from "./failures.ts";

export interface Known {
  /** What wine does. */
  readonly why: string;
  /** What every failure for that reason says, where it says it. */
  readonly says?: RegExp;
  /** The names of the tests by their files; of a step, with the test's before it. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const KNOWN_OF_WINE: readonly Known[] = [
  {
    why: "a symbolic link is created without an error and does not exist",
    says: /needs symbolic links/,
    tests: {
      "tests/cli/acp_events_test.ts": [
        "loadConfig creates the file of --acp-events for its owner alone, and returns its real path",
      ],
      "tests/cli/flat_test.ts": [
        "loadConfig serves --dir on http at port 8080, logging text, by default",
      ],
      "tests/cli/resolve_test.ts": [
        "loadConfig serves directories on stdio by default",
        "loadConfig reports all mistakes in flags and directories together, one per directory",
      ],
      "tests/cli/root_dirs_test.ts": [
        "namesFor keeps the name of a link rather than its target's",
        "realDirectory resolves links and says why a path cannot be served",
        "writableDirectory returns the real path, and leaves nothing behind",
      ],
      "tests/cli/workspaces_test.ts": [
        "loadConfig serves --workspaces-root with calls logged at debug, as text",
      ],
      "tests/confine/lstat_children_test.ts": [
        "lstatChildren accepts only names, not paths",
        "lstatChildren continues when an entry is replaced meanwhile",
      ],
      "tests/confine/proof_test.ts": [
        "isProven is true when there is no link in the path and it still leads to what was found",
      ],
      "tests/confine/unproven_test.ts": [
        "UnprovenFile is not proven when it was opened through a swapped folder, then or now",
        "readFolderUnproven returns the entries of a folder, and nothing from one that was swapped for a link",
        "stateOf is defined only for files",
        "UnprovenFolder proves nothing opened by its path from a folder or file that was swapped for a link",
      ],
      "tests/engine/atomic_write_test.ts": [
        "atomicWrite does not write through a dangling link when the name must be new",
        "atomicWrite refuses when its folder was swapped for a link meanwhile",
      ],
      "tests/engine/copy_links_test.ts": [
        "copyEntry stops at links that lead back up, to each other or to the copy",
        "copyEntry skips links that lead into a hidden .git or to a temporary file",
        "copyEntry skips links that lead into another root, or to a folder with one inside",
        "copyEntry copies a root inside the source, with the links that stay in it",
        "copyEntry copies parallel links completely, and does not multiply links upon links",
        "copyEntry writes through links at the destination that stay inside, and keeps them",
        "copyEntry refuses links at the destination that lead elsewhere ... a file to /etc/hosts",
        "copyEntry refuses links at the destination that lead elsewhere ... a file to nowhere",
        "copyEntry refuses links at the destination that lead elsewhere ... a file to ../inner/x",
        "copyEntry refuses links at the destination that lead elsewhere ... a file to ../from/x",
        "copyEntry refuses links at the destination that lead elsewhere ... a folder to /etc/hosts",
        "copyEntry refuses links at the destination that lead elsewhere ... a folder to nowhere",
        "copyEntry refuses links at the destination that lead elsewhere ... a folder to ../inner/x",
        "copyEntry refuses links at the destination that lead elsewhere ... a folder to ../from/x",
      ],
      "tests/engine/folders_test.ts": [
        "ensureFolder follows a link that stays inside",
        "ensureFolder refuses if a file or a link has appeared in the way",
      ],
      "tests/engine/hash_test.ts": [
        "hashFile follows a link that stays inside, and refuses a folder and a missing file",
      ],
      "tests/engine/history/git/repository_test.ts": [
        "change writes nothing through .git/mcp when it is swapped for a link meanwhile",
        "change writes nothing through .git/objects/pack when it is swapped for a link meanwhile",
        "change writes nothing through .git/refs/heads when it is swapped for a link meanwhile",
      ],
      "tests/engine/metadata_test.ts": [
        "describeEntry describes a link itself, and its target only if that is inside",
        "listFolder lists links with what they lead to, unless that lies outside",
        "describePermissions describes a link itself",
      ],
      "tests/engine/move_across_test.ts": [
        "moveEntry copies nothing if not all of a folder can be moved to another file system",
        "moveEntry refuses to move a link to another file system",
        "moveEntry keeps what was added meanwhile: a link",
        "moveEntry moves both names of one file and links, and sweeps stale temporary files",
        "moveEntry from another file system does not replace a link",
      ],
      "tests/engine/move_test.ts": [
        "moveEntry moves a link itself, unless it leads outside",
        "moveEntry refuses, and leaves everything as it was ... away to new/away",
      ],
      "tests/engine/remove_test.ts": [
        "removeFile removes a link and never what it leads to",
        "removeFolder unlinks links and never follows them",
        "removeFolder stops when a folder was swapped for a link meanwhile",
        "removeFolder refuses the root, a file, a link and a missing folder",
        "removeFolder removes a .git that is not protected, and one that a link only leads to",
      ],
      "tests/engine/search/crew/file_ranges_test.ts": [
        "UnitScanner reports nothing about a range of a file that was replaced, or that is outside",
      ],
      "tests/engine/search/crew/pool_test.ts": [
        "workers return nothing from outside when what was found is swapped for links",
      ],
      "tests/engine/search/find_test.ts": [
        "find returns type, size and time, and filters by type; a link counts under its own name",
        "find never enters links, and returns nothing from a folder that was swapped for one",
      ],
      "tests/engine/search/grep_test.ts": [
        "grep names files relative to the root, wherever it searches",
        "grep returns nothing from outside when what it found is swapped for links",
      ],
      "tests/engine/search/scan/scan_path_test.ts": [
        "Scanner.scanPath reports nothing about a file outside, reached through a swapped folder",
        "Scanner.scanPath reports nothing about a file that was outside when it was read, and is not any longer",
      ],
      "tests/engine/search/walk/listing_cache_test.ts": [
        "ListingCache keeps nothing about a folder reached through a link, and notices one that is swapped",
      ],
      "tests/engine/search/walk/walk_test.ts": [
        "walk names links and never follows them: up, around, outside or nowhere",
        "walk returns nothing from a folder that was swapped for a link, and counts it",
      ],
      "tests/engine/settle_test.ts": [
        "writeText reports no error if its folder cannot be opened after the rename, and one if it was swapped",
      ],
      "tests/engine/temp_sweeper_test.ts": [
        "TempSweeper removes what no writer holds, and nothing with another name",
      ],
      "tests/engine/undo/undo_test.ts": [
        "undo restores modes, set-group bits, links and odd bytes",
        "no tool reaches a store inside its root, by name, link, listing, search or folder",
      ],
      "tests/engine/write_test.ts": [
        "writeText keeps a link that stays inside, and replaces what it leads to",
      ],
    },
  },
  {
    why: "an open file cannot be replaced by a rename; NTFS allows it, with POSIX semantics",
    says:
      /os error 5\): rename|perhaps because another program has it open|saved by another program again and again/,
    tests: {
      "tests/confine/confined_fs_test.ts": [
        "ConfinedFile.open keeps reading the old content when the file is replaced meanwhile",
        "isCurrent is true until the file is replaced or removed",
      ],
      "tests/confine/unproven_test.ts": [
        "UnprovenFile is not proven after another file has replaced it",
      ],
      "tests/commands/doctor/doctor_test.ts": [
        "paddock doctor passes here, says so as JSON, and leaves nothing behind",
      ],
      "tests/engine/atomic_write_test.ts": [
        "atomicWrite replaces the inode, so that an open reader keeps the old content",
        "atomicWrite keeps the new file locked until it is disposed of, and knows whether it is in place",
      ],
      "tests/engine/locks_test.ts": [
        "Locks.withFile locks what the path names now when the file was replaced meanwhile",
      ],
      "tests/engine/saved_meanwhile_test.ts": [
        "updateFile starts again when a person saves (rename) 3 bytes after it was read",
        "updateFile starts again when a person saves (rename) 2000000 bytes after it was read",
        "updateFile does not report an error about a content that a person has saved over (rename)",
        "writeText with expected_hash is a CONFLICT when a person saves (rename) after the comparison",
        "updateFile waits for the end of a save that began before the file was read",
        "updateFile ends even if a program keeps writing to the file it had open",
        "updateFile gives up when the file is saved again and again",
      ],
      "tests/engine/search/scan/scan_path_test.ts": [
        "Scanner.scanPath reads a file again that was replaced before anything about it was reported",
      ],
    },
  },
  {
    why: "a file removed while open is found until it is closed; on NTFS its name disappears at once",
    tests: {
      "tests/confine/confined_fs_test.ts": [
        "discardTemp removes a temporary file of ours, and refuses any other name",
      ],
      "tests/engine/atomic_write_test.ts": [
        "atomicWrite leaves a file alone that the last check finds changed",
      ],
      "tests/engine/locks_test.ts": [
        "Locks.withFile continues without a file when it was removed meanwhile",
      ],
    },
  },
  {
    why: "a file listed as a folder is not found; Windows says that it is not a folder",
    says: /not found: (file|1)/,
    tests: {
      "tests/engine/metadata_test.ts": [
        "listFolder refuses a file and a missing folder, and stops when the call is cancelled",
      ],
      "tests/engine/search/find_test.ts": [
        "find refuses bad patterns, both kinds at once or none, and a path that is not a folder",
      ],
      "tests/engine/search/walk/walk_test.ts": [
        "walk refuses a path that is not a folder, or does not exist",
      ],
    },
  },
  {
    why:
      "a lock that was given back is in the way of giving it back once more, which the runtime does on Windows; " +
      "Windows says that there is none",
    tests: {
      "tests/engine/locks_test.ts": [
        "Locks.withFile locks what is at the path now, even if the file it keeps open is a different one",
      ],
    },
  },
];

export interface Judged {
  wines: { failure: Failure; why: string }[];
  ours: Failure[];
  /** Listed, in these files, and did not fail. */
  passed: string[];
}

export function judge(
  failures: readonly Failure[],
  files: readonly string[],
  known: readonly Known[] = KNOWN_OF_WINE,
): Judged {
  const judged: Judged = { wines: [], ours: [], passed: [] };
  for (const failure of failures) {
    const why = known.find((each) => isFor(each, failure))?.why;
    if (why === undefined) judged.ours.push(failure);
    else judged.wines.push({ failure, why });
  }
  for (const { tests } of known) {
    for (const file of files) {
      for (const name of tests[file] ?? []) {
        const hasFailed = failures.some((failure) => failure.file === file && failure.name === name);
        if (!hasFailed) judged.passed.push(`${file}: ${name}`);
      }
    }
  }
  return judged;
}

function isFor({ says, tests }: Known, { file, name, text }: Failure): boolean {
  return (tests[file]?.includes(name) ?? false) && (says?.test(text) ?? true);
}
