/**
 * What wine 10 gets wrong, and the very tests that fail for it. Any other failure is ours; and a test of these that does
 * not fail any more does not belong here any more.
 */
import { type Failure } from "./failures.ts";

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
    why: "a symbolic link is made without an error, and is not there",
    says: /needs symbolic links/,
    tests: {
      "tests/cli/acp_events_test.ts": [
        "loadConfig creates the file of --acp-events for its owner alone, and gives its real path",
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
        "writableDirectory gives the real path, and leaves nothing behind",
      ],
      "tests/cli/workspaces_test.ts": [
        "loadConfig serves --workspaces-root with calls logged at debug, as text",
      ],
      "tests/confine/lstat_children_test.ts": [
        "lstatChildren takes names only, not paths",
        "lstatChildren goes on when an entry is replaced meanwhile",
      ],
      "tests/confine/proof_test.ts": [
        "isProven is true when the path has no link on it and what was found is there",
      ],
      "tests/confine/unproven_test.ts": [
        "UnprovenFile is not proven when it was opened through a swapped folder, then or now",
        "readFolderUnproven gives the entries of a folder, and nothing of one that was swapped for a link",
        "stateOf knows files only",
        "UnprovenFolder proves nothing that was opened by its path of a folder or a file that was swapped for a link",
      ],
      "tests/engine/history/git/repository_test.ts": [
        "change writes nothing through .git/mcp when it is swapped for a link meanwhile",
        "change writes nothing through .git/objects/pack when it is swapped for a link meanwhile",
        "change writes nothing through .git/refs/heads when it is swapped for a link meanwhile",
      ],
      "tests/engine/search/crew/file_ranges_test.ts": [
        "UnitScanner tells nothing of a range of a file that is another by now, or lies outside",
      ],
      "tests/engine/search/crew/pool_test.ts": [
        "workers give nothing from outside when what was found is swapped for links",
      ],
      "tests/engine/search/find_test.ts": [
        "find tells type, size and time, and filters by type; a link is one by its own name",
        "find never enters links, and gives nothing of a folder that was swapped for one",
      ],
      "tests/engine/search/grep_test.ts": [
        "grep names files relative to the root, wherever it searches",
        "grep gives nothing from outside when what it found is swapped for links",
      ],
      "tests/engine/search/scan/scan_path_test.ts": [
        "Scanner.scanPath tells nothing of a file outside that a folder was swapped for",
        "Scanner.scanPath tells nothing of a file that was outside when it was read, and is not any more",
      ],
      "tests/engine/search/walk/listing_cache_test.ts": [
        "ListingCache keeps nothing of a folder that is reached through a link, and notices one that is swapped",
      ],
      "tests/engine/search/walk/walk_test.ts": [
        "walk names links and never follows them: up, around, outside or nowhere",
        "walk gives nothing of a folder that was swapped for a link, and counts it",
      ],
      "tests/engine/undo/sequences_test.ts": [
        "any sequence of calls is taken back one by one, exactly, and done again",
        "what a person does in between is never lost, whatever is undone",
      ],
      "tests/engine/undo/trees_test.ts": [
        "a folder of many files, on the store's file system, is removed, brought back exactly, and removed again",
      ],
      "tests/engine/undo/undo_test.ts": [
        "undo gives modes, set-group bits, links and odd bytes back",
        "no tool reaches a store that lies in its root, by name, link, listing, search or folder",
      ],
    },
  },
  {
    why: "a file that is open cannot be replaced by a rename; NTFS lets it, by POSIX semantics",
    says: /os error 5\): rename|perhaps because another program has it open/,
    tests: {
      "tests/confine/confined_fs_test.ts": [
        "ConfinedFile.open goes on reading the old content when the file is replaced meanwhile",
        "isCurrent is true until the file is replaced or removed",
      ],
      "tests/confine/unproven_test.ts": [
        "UnprovenFile is not proven when another file has taken its place",
      ],
      "tests/engine/search/scan/scan_path_test.ts": [
        "Scanner.scanPath reads a file anew that was replaced before anything was told of it",
      ],
    },
  },
  {
    why: "a file that is removed while it is open is found until it is closed; on NTFS its name goes at once",
    tests: {
      "tests/confine/confined_fs_test.ts": [
        "discardTemp removes a temporary file of ours, and refuses any other name",
      ],
    },
  },
  {
    why: "a file that is listed as a folder is not found; Windows says that it is no folder",
    says: /not found: file/,
    tests: {
      "tests/engine/search/find_test.ts": [
        "find refuses bad patterns, both kinds at once or none, and a path that is no folder",
      ],
      "tests/engine/search/walk/walk_test.ts": [
        "walk refuses a folder that is none, or is not there",
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
