/** Directories as users of the official server write them: with `~`, and through links. */
import type { Env } from "./parse.ts";
import { currentFolder, mayRead } from "./permissions.ts";

const IS_WINDOWS = Deno.build.os === "windows";

/** The user's home, if the environment names it. */
export function homeFolder(env: Env | undefined): string | undefined {
  const home = env?.(IS_WINDOWS ? "USERPROFILE" : "HOME");
  if (home === undefined) return undefined;
  return IS_WINDOWS ? home || undefined : home.startsWith("/") ? home : undefined;
}

/** No shell expands a client's configuration, so the server expands `~`. `~user` is a name like any other. */
export function fromHome(dir: string, home: string | undefined): string {
  if (home === undefined || !/^~(?:\/|$)/.test(dir)) return dir;
  return home + dir.slice(1);
}

/** The absolute path the operator gave, where it differs from the real path: clients know both. */
export function namedOtherwise(given: string, real: string): { given?: string } {
  if (IS_WINDOWS) return {};
  const folder = given.startsWith("/") ? "" : currentFolder();
  if (folder === "" && !given.startsWith("/")) return {};
  const kept: string[] = [];
  for (const part of `${folder}/${given}`.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const absolute = `/${kept.join("/")}`;
  return absolute === real || !leadsTo(absolute, real) ? {} : { given: absolute };
}

/** `..` after a link leads the system to another folder than the names alone suggest. */
function leadsTo(path: string, real: string): boolean {
  try {
    return mayRead(path) && Deno.realPathSync(path) === real;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
