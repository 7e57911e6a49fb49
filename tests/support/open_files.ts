/**
 * The paths that this process has open below a folder; only Linux can say. Tests of other files run in the same
 * process, so a bare count of descriptors would mean nothing.
 */
export function openBelow(folder: string): string[] {
  return [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      return [Deno.readLinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return []; // closed meanwhile
    }
  }).filter((path) => path.startsWith(folder));
}
