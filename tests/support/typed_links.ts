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

/** Whether there are links here at all, for tests that have one among other things and are not about it. */
export function hasLinks(): boolean {
  return known ??= Deno.build.os !== "windows" || tryOne();
}

let known: boolean | undefined;

function tryOne(): boolean {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-test-" });
  try {
    Deno.symlinkSync(".", `${folder}/link`);
    return true;
  } catch {
    return false;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
