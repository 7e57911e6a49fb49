/**
 * Runs inside the fence on the doctor's word, in the very Worker that serves, and tries to leave it. Each way is
 * harmless where it is open.
 */

export interface FenceTask {
  /** A file inside the directories that are served. */
  readonly inside: string;
  /** A folder outside of them, with a `secret.txt` in it. */
  readonly outside: string;
  /** A program that is there, and does nothing when asked for its version. */
  readonly program: string;
}

export interface FenceReport {
  /** Every way that was tried. */
  readonly tried: readonly string[];
  /** Those that the permissions did not stop. */
  readonly open: readonly string[];
  /** Whether what is served could be read: a fence that stops everything proves nothing. */
  readonly inside: boolean;
}

const NOWHERE = "paddock-doctor-no-such-thing";

export async function probeFence({ inside, outside, program }: FenceTask): Promise<FenceReport> {
  const ways: Record<string, () => unknown> = {
    "read a file outside": () => Deno.readTextFileSync(`${outside}/secret.txt`),
    "list a folder outside": () => [...Deno.readDirSync(outside)],
    "read the system's files": () => Deno.statSync(Deno.build.os === "windows" ? "C:\\Windows" : "/etc"),
    "write a file outside": () => Deno.writeTextFileSync(`${outside}/written.txt`, ""),
    "link to a file outside": () => Deno.linkSync(`${outside}/secret.txt`, `${inside}.linked`),
    "start a program": () => new Deno.Command(program, { args: ["--version"] }).outputSync(),
    "read the environment": () => Deno.env.get("PATH"),
    "reach the network": async () => (await Deno.connect({ hostname: "127.0.0.1", port: 1 })).close(),
    "load a library": () => Deno.dlopen(NOWHERE, {}).close(),
    "ask who the machine is": () => Deno.hostname(),
  };
  const open: string[] = [];
  for (const [name, way] of Object.entries(ways)) if (!await isStopped(way)) open.push(name);
  return { tried: Object.keys(ways), open, inside: isReadable(inside) };
}

/** Any other failure means that the permissions were not what stopped it. */
async function isStopped(way: () => unknown): Promise<boolean> {
  try {
    await way();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable;
  }
}

function isReadable(path: string): boolean {
  try {
    Deno.readTextFileSync(path);
    return true;
  } catch {
    return false;
  }
}
