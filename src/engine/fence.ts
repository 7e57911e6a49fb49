/** What surfaces need of the inner fence: creating roots, and turning a client's path into a confined one. */
export {
  childOf,
  type ConfinedPath,
  type ConfinedRoot,
  nameOf,
  parentOf,
  type ResolveOptions,
  resolvePath,
  rootsBelow,
} from "../confine/resolve_path.ts";
export { isAbsolutePath, locateAbsolute } from "../confine/absolute_path.ts";
export { contains, isGitName, lexicalPath, quote, segmentsOf } from "../confine/path_rules.ts";
export { createRoots } from "../confine/roots.ts";
export { ProvenFolder } from "../confine/proven_folder.ts";
