/** Globs of clients: one without a slash is about names at any depth, one with a slash about paths. */

/** Whether a path below the folder that is looked at is left out; what lies below it goes with it. */
export type Excludes = (below: string) => boolean;

export async function compileExcludes(patterns: readonly string[]): Promise<Excludes> {
  if (patterns.length === 0) return () => false;
  const { compileGlob } = await import("../../engine/search/mod.ts"); // large, and not always used
  const matchers = patterns.map((pattern) => {
    compileGlob(pattern); // what is wrong with it is said of it as it was given
    return compileGlob(pathGlob(pattern.replace(/(?<=.)\/+$/, "")));
  });
  return (below) => matchers.some((matcher) => matcher.matchesText(below));
}

/** The same glob as one that matches whole paths. A slash at the end says what it is about, not where that lies. */
export function pathGlob(pattern: string): string {
  const glob = pattern.replace(/^\.\//, "");
  return glob.replace(/\/+$/, "").includes("/") ? glob.replace(/^\//, "") : `**/${glob}`;
}
