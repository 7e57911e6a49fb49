/**
 * Searching, as the surfaces see it: `grep` for lines of files, `find` for paths. Matchers for patterns and globs
 * are here too, for other parts of the engine.
 */
export type { FindOptions, FindResult, FoundEntry } from "./find.ts";
export { find } from "./find.ts";
export type { GrepMatch } from "./findings.ts";
export { grep, MAX_CONTEXT_LINES } from "./grep.ts";
export { SearchPool } from "./crew/pool.ts";
export type { GrepOptions, GrepProgress, GrepResult } from "./grep.ts";
export { compileGlob } from "./walk/glob.ts";
export { compileGlobFilter, type GlobFilter } from "./walk/glob_filter.ts";
export { compilePattern, type Matcher, type PatternOptions } from "./pattern/matcher.ts";
