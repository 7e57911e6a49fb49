/** Tests in groups, each for a process of its own: its failures are told when it ends, and it takes no other with it. */

/** The folders below, down to those that hold tests and no folders, and beside these the tests of each by themselves. */
export function groupsOf(paths: readonly string[]): string[][] {
  return paths.flatMap((path) => {
    if (path.endsWith(".ts")) return [[path]];
    const entries = [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1));
    const files = entries.filter(({ name, isFile }) => isFile && name.endsWith("_test.ts"));
    const folders = entries.filter(({ isDirectory }) => isDirectory);
    const own = files.map(({ name }) => `${path}/${name}`);
    return [...(own.length > 0 ? [own] : []), ...groupsOf(folders.map(({ name }) => `${path}/${name}`))];
  });
}
