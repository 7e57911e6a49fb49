/**
 * Symbolic links for fixtures, on every system: Windows needs to know whether a link leads to a file or to a folder,
 * and its own separators. Where links are created without an error but do not exist (wine), a test that creates one
 * says so.
 */
import { dirname, isAbsolute, join } from "node:path";

const make = Deno.symlinkSync;

if (Deno.build.os === "windows") {
  Deno.symlinkSync = (target, path, options) => {
    const [to, from] = [String(target).replaceAll("/", "\\"), String(path).replaceAll("/", "\\")];
    make(
      to,
      from,
      options ?? { type: isFolder(isAbsolute(to) ? to : join(dirname(from), to)) ? "dir" : "file" },
    );
    try {
      Deno.lstatSync(from);
    } catch {
      throw new Error(`needs symbolic links: ${from} is not there`);
    }
  };
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
