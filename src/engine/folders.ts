/** Creates folders, one level at a time, and verifies each parent right before the step. */
import { PaddockError } from "../base/errors.ts";
import { lstat, makeFolder } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { beginChange, type Changing } from "./changing.ts";
import { settle } from "./settle.ts";
import { withStructure } from "./with_locks.ts";

/** Proving a path takes longer the deeper it is, and other structural changes wait meanwhile. */
const MOST_LEVELS = 128;

function tooDeep(): PaddockError {
  return new PaddockError(
    "INVALID_INPUT",
    `more than ${MOST_LEVELS} folders of the path are missing; create them in several calls`,
  );
}

/** Makes sure that a folder exists, with all above it. True if anything had to be created. */
export async function ensureFolder(path: ConfinedPath, changing: Changing): Promise<boolean> {
  if (isFolder(path)) return false;
  return await withStructure(
    [path],
    () => createMissing(path, { ...changing, levels: 1 }),
    changing,
  );
}

interface Creating extends Changing {
  /** How many folders are missing so far, from the innermost up. */
  readonly levels: number;
}

async function createMissing(path: ConfinedPath, creating: Creating): Promise<boolean> {
  if (isFolder(path)) return false;
  const { levels } = creating;
  if (levels > MOST_LEVELS) throw tooDeep();
  const parent = parentOf(path);
  await createMissing(parent, { ...creating, levels: levels + 1 });
  beginChange(creating);
  const created = makeFolder(path);
  if (created) creating.recording?.folder(path);
  if (created) await settle(parent, `folder ${quote(path.relative)} was created`);
  return created;
}

/** Whether a folder is there. Anything else in its place is an error. */
function isFolder(path: ConfinedPath): boolean {
  const info = lstat(path);
  if (info === undefined) {
    if (path.relative === "") {
      throw new PaddockError("NOT_FOUND", `the directory of root ${path.root.name} is no longer there`);
    }
    return false;
  }
  if (info.isDirectory) return true;
  throw new PaddockError(
    "ALREADY_EXISTS",
    `path exists and is a file, not a folder: ${quote(path.relative)}`,
  );
}
