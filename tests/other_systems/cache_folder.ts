/** Where the systems that these tasks set up are kept, unless a folder is given. */
export function cacheFolder(): string {
  const { env } = Deno;
  const given = Deno.args[0];
  if (given !== undefined && !given.startsWith("tests")) return given;
  return `${env.get("XDG_CACHE_HOME") ?? `${env.get("HOME") ?? "/tmp"}/.cache`}/paddock-systems`;
}

/** The tests that were named, or these. */
export function namedTests(usual: readonly string[]): string[] {
  const named = Deno.args.filter((argument) => argument.startsWith("tests"));
  return named.length > 0 ? named : [...usual];
}
