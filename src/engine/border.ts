/**
 * What must not go from one root into another, checked before a move: a protected `.git`, which could be changed
 * where it is open and moved back, so that a hook runs at the user's next commit; links that would lead elsewhere
 * from there; what is neither file nor folder; and names that cannot be looked up.
 */
import { type ErrorCode, PaddockError } from "../base/errors.ts";
import { linkTarget, readFolderCounted, readLink } from "../confine/confined_fs.ts";
import { contains, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf, resolvePath } from "../confine/resolve_path.ts";
import { isGits } from "./guarded.ts";
import type { Pace } from "./yield.ts";

/** Throws if something in a folder must not go to another root; `to` is where the folder would be. */
export async function refuseAtBorder(from: ConfinedPath, to: ConfinedPath, pace: Pace): Promise<void> {
  const protects = from.owner.git !== "open" || to.owner.git !== "open";
  if (protects && isGits(from, { isDirectory: true })) {
    const is = `${quote(from.given)} is the folder of a git repository`;
    throw new PaddockError("NOT_ALLOWED", `${is}, ${GUARDED}; nothing was moved`);
  }
  await look(from, { top: from, protects, pace });
}

const GUARDED = "which must not leave or enter a root that protects it";

interface Looking {
  readonly top: ConfinedPath;
  readonly protects: boolean;
  readonly pace: Pace;
}

async function look(folder: ConfinedPath, looking: Looking): Promise<void> {
  const { top, protects, pace } = looking;
  const { entries, unnamed } = readFolderCounted(folder);
  if (unnamed > 0) {
    throw refused(folder, {
      top,
      why: `with names that are not valid UTF-8 (${unnamed}) and cannot be looked up`,
    });
  }
  for (const entry of entries) {
    await pace.step();
    const { isFile, isDirectory, isSymlink } = entry;
    const path = childOf(folder, entry.name);
    if (protects && isGits(path, entry)) {
      throw refused(path, { top, why: GUARDED, code: "NOT_ALLOWED" });
    }
    if (isDirectory) await look(path, looking);
    else if (isSymlink) refuseLink(path, top);
    else if (!isFile) throw refused(path, { top, why: "a pipe, socket or device" });
  }
}

/** A link may be moved along if it leads to something that is moved along, by a path that is, too. */
function refuseLink(path: ConfinedPath, top: ConfinedPath): void {
  if (linkTarget(path).place === "outside") {
    throw refused(path, { top, why: "a link that leads outside the root", code: "OUT_OF_BOUNDS" });
  }
  if (leadsInto(top, path)) return;
  throw refused(path, { top, why: "a link that leads nowhere, or would lead elsewhere after the move" });
}

function leadsInto(folder: ConfinedPath, link: ConfinedPath): boolean {
  const below = parentOf(link).relative.slice(folder.relative.length);
  try {
    if (climbsOut(readLink(link), below)) return false;
    return contains(folder.absolute, resolvePath(link.root, link.relative).absolute);
  } catch (error) {
    if (error instanceof PaddockError) return false; // it leads nowhere, or where access is refused
    throw error;
  }
}

/** Whether the text of a link in `below`, by its names alone, leads out of what `below` is relative to. */
export function climbsOut(text: string, below: string): boolean {
  if (text.startsWith("/")) return true;
  let depth = below.split("/").filter((name) => name !== "").length;
  for (const name of text.split("/")) {
    if (name === "..") depth--;
    else if (name !== "" && name !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

interface Refusal {
  top: ConfinedPath;
  why: string;
  code?: ErrorCode;
}

function refused(path: ConfinedPath, { top, why, code = "UNSUPPORTED" }: Refusal): PaddockError {
  const held = path === top ? "" : ` contains ${quote(path.relative)}`;
  return new PaddockError(code, `${quote(top.given)}${held}, ${why}; nothing was moved`);
}
