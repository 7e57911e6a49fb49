/**
 * A Debian system in a folder, for programs that this machine lacks: from the machine's own package sources, and
 * without changing the machine. `undefined` if that is impossible, with a line that says why.
 */

export const SUITE = "trixie"; // the first with wine 10 and qemu 10; earlier versions fail or hang

const FOREIGN = { amd64: [], arm64: ["--foreign", "--arch=arm64"] } as const;

export interface Wanted {
  folder: string;
  arch: keyof typeof FOREIGN;
  /** Packages beyond the minimal system; none for a foreign one, which is only unpacked. */
  packages: readonly string[];
}

export async function debian({ folder, arch, packages }: Wanted): Promise<string | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return skipped("it needs root on Linux");
  const ready = `${folder}/ready`;
  if (exists(ready)) return folder;
  const mirror = mirrorOf(await output("sh", "-c", "cat /etc/apt/sources.list /etc/apt/sources.list.d/*"));
  if (mirror === undefined) return skipped("this machine has no source of Debian packages");
  Deno.mkdirSync(folder, { recursive: true });
  const made = await debootstrap(folder, [...FOREIGN[arch], SUITE, folder, mirror]);
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  const isReady = made && (packages.length === 0 || await run("chroot", folder, "sh", "-c", install));
  if (!isReady) return skipped(`${SUITE} could not be set up in ${folder}`);
  Deno.writeTextFileSync(ready, "");
  return folder;
}

/** The first source that Debian's packages come from. */
export function mirrorOf(sources: string): string | undefined {
  const urls = sources.matchAll(/^(?:URIs:|deb(?:\s+\[[^\]]*\])?)\s+(https?:\/\/\S+)/gm);
  return urls.map(([, url]) => url).find((url) => url !== undefined && /\/debian\/?$/.test(url));
}

/** The machine's own, or one that is only unpacked. */
async function debootstrap(folder: string, args: string[]): Promise<boolean> {
  if (await run("sh", "-c", "command -v debootstrap >/dev/null")) {
    return await run("debootstrap", "--variant=minbase", ...args);
  }
  const tools = `${folder}.debootstrap`;
  Deno.mkdirSync(tools, { recursive: true });
  const unpack = "apt-get download debootstrap && dpkg-deb -x debootstrap_*.deb .";
  if (!await run("sh", "-c", `cd ${tools} && ${unpack}`)) return false;
  const env = `DEBOOTSTRAP_DIR=${tools}/usr/share/debootstrap`;
  return await run("env", env, `${tools}/usr/sbin/debootstrap`, "--variant=minbase", ...args);
}

/** Deno for another system, from npm. Returns the folder it was unpacked to. */
export async function denoFor(system: string, folder: string): Promise<string | undefined> {
  const place = `${folder}/deno-${system}`;
  if (exists(`${place}/package`)) return `${place}/package`;
  Deno.mkdirSync(place, { recursive: true });
  const version = Deno.version.deno.split(".").slice(0, 2).join(".");
  const fetch = `npm pack --silent --force @deno/${system}@${version} >/dev/null && tar xzf *.tgz`;
  const isThere = await run("sh", "-c", `cd ${place} && ${fetch}`);
  return isThere ? `${place}/package` : skipped(`npm has no Deno ${version} for ${system}`);
}

export function skipped(why: string): undefined {
  console.log(`skipped: ${why}`);
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

/** Whether it succeeded; its messages go to standard error. */
export async function run(program: string, ...args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(program, {
    args,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  })
    .output();
  return success;
}
