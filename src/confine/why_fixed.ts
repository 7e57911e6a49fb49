/**
 * Finds out whether names in a folder can be changed, before anything is. The kernel answers when a file
 * without a name (O_TMPFILE) is opened in the folder: it checks modes, access lists, attributes and mounts as
 * it would for a change, and leaves no trace. Other systems have nothing like it; there, and on file systems
 * without such files, only the change itself shows.
 */
import { loadNodeFs } from "./checks.ts";
import { fromOsError, osCode } from "./os_errors.ts";
import type { ConfinedPath } from "./resolve_path.ts";

/** The part of O_TMPFILE that is not O_DIRECTORY; node does not name it. */
const NAMELESS = 0o20_000_000;
const REFUSALS = new Set(["EACCES", "EPERM", "EROFS"]);

/** Why names in a folder cannot be added or removed; undefined when they can, or it is unknown. */
export async function whyFixed(folder: ConfinedPath): Promise<unknown> {
  if (Deno.build.os !== "linux") return undefined;
  const fs = await loadNodeFs();
  try {
    const { O_DIRECTORY, O_WRONLY } = fs.constants;
    fs.closeSync(fs.openSync(folder.absolute, NAMELESS | O_DIRECTORY | O_WRONLY, 0o600));
    return undefined;
  } catch (error) {
    const code = osCode(error);
    if (code === undefined) throw error;
    return REFUSALS.has(code) ? fromOsError(error, { given: folder.given, noun: "directory" }) : undefined;
  }
}
