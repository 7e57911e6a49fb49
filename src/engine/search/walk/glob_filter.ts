/**
 * Which files a search reads: a glob without a slash matches names at any depth, one with a slash matches paths. A
 * glob that ends in a slash matches folders only, and so no file.
 */
import { compileGlob, globTail, isFolderGlob } from "./glob.ts";

/** Awaited whenever others should have a turn; false when the time is up. */
type Step = () => Promise<boolean>;

export interface GlobFilter {
  /** Whether a file at a path, relative to the folder that is searched, is wanted. */
  matches(path: string, step: Step): boolean | Promise<boolean>;
  /** Whether anything below a folder can be wanted. */
  mayMatchBelow(folder: string, step: Step): boolean | Promise<boolean>;
}

const yes = () => true;
const no = () => false;

export function compileGlobFilter(glob: string | undefined): GlobFilter {
  if (glob === undefined) return { matches: yes, mayMatchBelow: yes };
  const matcher = compileGlob(glob);
  if (isFolderGlob(glob)) return { matches: no, mayMatchBelow: no };
  const tail = globTail(glob);
  const matches = (text: string, step: Step) =>
    text.endsWith(tail) && (matcher.matchesTextAtOnce(text) ?? matcher.matchesTextInTime(text, step));
  if (!glob.includes("/")) {
    return {
      matches: (path, step) => matches(path.slice(path.lastIndexOf("/") + 1), step),
      mayMatchBelow: yes,
    };
  }
  return {
    matches,
    mayMatchBelow: (folder, step) => matcher.mayMatchAfter(`${folder}/`, step),
  };
}
