/** The files of tests in a folder and below, in the order of their names; of a file, itself. */
export function testsAt(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  const entries = [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tests = entries.filter(({ name, isDirectory }) => isDirectory || name.endsWith("_test.ts"));
  return tests.flatMap(({ name }) => testsAt(`${path}/${name}`));
}
