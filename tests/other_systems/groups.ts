/** Tests in groups, each for a process of its own: its failures are told when it ends, and it takes no other with it. */

/** The files that are named, and of each folder that is named, and each below it, its own: grouped by their folders. */
export function groupsOf(paths: readonly string[]): string[][] {
  return [...Map.groupBy(paths.flatMap(testsAt), (file) => file.slice(0, file.lastIndexOf("/"))).values()];
}

function testsAt(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  const entries = [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tests = entries.filter(({ name, isDirectory }) => isDirectory || name.endsWith("_test.ts"));
  return tests.flatMap(({ name }) => testsAt(`${path}/${name}`));
}
