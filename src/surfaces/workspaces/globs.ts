/** Clients' globs: one without a slash matches names at any depth, one with a slash matches paths. */

/** Whether a path below the folder at hand is left out, with everything below it. */
export type Excludes = (below: string) => boolean;

export async function compileExcludes(patterns: readonly string[]): Promise<Excludes> {
  if (patterns.length === 0) return () => false;
  const { compileGlob } = await import("../../engine/search/mod.ts"); // large, and not always needed
  const matchers = patterns.map((pattern) => {
    compileGlob(pattern); // reports errors in the pattern as it was given
    return compileGlob(pathGlob(pattern.replace(/(?<=.)\/+$/, "")));
  });
  return (below) => matchers.some((matcher) => matcher.matchesText(below));
}

/** The same glob for whole paths. A trailing slash says what it matches, not where. */
export function pathGlob(pattern: string): string {
  const glob = pattern.replace(/^\.\//, "");
  return glob.replace(/\/+$/, "").includes("/") ? glob.replace(/^\//, "") : `**/${glob}`;
}
