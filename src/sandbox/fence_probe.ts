/**
 * Runs inside the fence at the doctor's request, in the same Worker that serves, and tries to escape. Every
 * attempt is harmless if it succeeds.
 */

export interface FenceTask {
  /** A file inside the served directories. */
  readonly inside: string;
  /** A folder outside them, with a `secret.txt` in it. */
  readonly outside: string;
  /** An existing program that does nothing but print its version when asked to. */
  readonly program: string;
}

export interface FenceReport {
  /** Every attempt. */
  readonly tried: readonly string[];
  /** Those that the permissions did not block. */
  readonly open: readonly string[];
  /** Whether the served file could be read: a fence that blocks everything proves nothing. */
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
    "ask for the host name": () => Deno.hostname(),
  };
  const open: string[] = [];
  for (const [name, way] of Object.entries(ways)) if (!await isBlocked(way)) open.push(name);
  return { tried: Object.keys(ways), open, inside: isReadable(inside) };
}

/** Any other failure means that the permissions did not block it. */
async function isBlocked(way: () => unknown): Promise<boolean> {
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
