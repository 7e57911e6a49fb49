/**
 * Whether the names in a folder can be changed, asked before anything is. The kernel answers when a file without a
 * name (O_TMPFILE) is opened in the folder: it looks at modes, access lists, attributes and mounts as it would for
 * a change, and leaves no trace. Other systems have nothing like it; there, and on file systems that do not know
 * such files, the change itself will tell.
 */
import { loadNodeFs } from "./checks.ts";
import { fromOsError, osCode } from "./os_errors.ts";
import { type ConfinedPath } from "./resolve_path.ts";

/** The part of O_TMPFILE that is not O_DIRECTORY; node does not name it. */
const NAMELESS = 0o20_000_000;
const REFUSALS = new Set(["EACCES", "EPERM", "EROFS"]);

/** Why no name can be added to a folder or taken away; undefined when it can, or nobody knows. */
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
