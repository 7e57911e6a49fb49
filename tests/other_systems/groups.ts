/** Tests in groups, each in its own process: its failures are reported when it ends, and it cannot take others down. */

/** The named files, and the files in each named folder and below: grouped by their folders. */
export function groupsOf(paths: readonly string[]): string[][] {
  return [...Map.groupBy(paths.flatMap(testsAt), (file) => file.slice(0, file.lastIndexOf("/"))).values()];
}

function testsAt(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  const entries = [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tests = entries.filter(({ name, isDirectory }) => isDirectory || name.endsWith("_test.ts"));
  return tests.flatMap(({ name }) => testsAt(`${path}/${name}`));
}
