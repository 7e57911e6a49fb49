/** Copies a folder's files and folders into another, with their times. */
export function copySync(from: string, to: string): void {
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    const { atime, mtime } = Deno.lstatSync(source);
    if (isDirectory) {
      Deno.mkdirSync(target);
      copySync(source, target);
    } else Deno.copyFileSync(source, target);
    Deno.utimeSync(target, atime ?? new Date(), mtime ?? new Date());
  }
}
