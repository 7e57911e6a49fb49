/** The downloads of a release: each executable with README and LICENSE, and the checksums of all. */
import { BuildError } from "./run_deno.ts";
import { executableName } from "./targets.ts";

const ALONGSIDE = ["README.md", "CHANGELOG.md", "LICENSE"];
const ARCHIVE = /^paddock-.*\.(tar\.xz|zip)$/;

export interface ArchiveOptions {
  repository: string;
  /** Where the archive goes. */
  folder: string;
}

/** Packs one executable and returns the archive's path. Needs `tar` and `xz`, or `zip` for Windows. */
export async function archive(
  { target, output }: { target: string; output: string },
  { repository, folder }: ArchiveOptions,
): Promise<string> {
  const { version } = JSON.parse(Deno.readTextFileSync(`${repository}/deno.json`));
  const name = `paddock-${version}-${target}`;
  const work = Deno.makeTempDirSync({ prefix: "paddock-archive-" });
  try {
    Deno.mkdirSync(`${work}/${name}`);
    Deno.copyFileSync(output, `${work}/${name}/${executableName(target)}`);
    for (const file of ALONGSIDE) Deno.copyFileSync(`${repository}/${file}`, `${work}/${name}/${file}`);
    const packed = target.includes("windows") ? `${folder}/${name}.zip` : `${folder}/${name}.tar.xz`;
    await run(
      packed.endsWith(".zip")
        ? ["zip", "-q", "-r", "-9", packed, name]
        : ["tar", "--owner=0", "--group=0", "-cJf", packed, name],
      { cwd: work, env: { XZ_OPT: xzOptions(target) } },
    );
    return packed;
  } finally {
    Deno.removeSync(work, { recursive: true });
  }
}

/** SHA256SUMS over all archives in a folder, as `sha256sum --check` reads it. */
export async function writeSums(folder: string): Promise<void> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => ARCHIVE.test(name))
    .sort();
  const lines = await Promise.all(names.map(async (name) => {
    const digest = await crypto.subtle.digest("SHA-256", Deno.readFileSync(`${folder}/${name}`));
    return `${new Uint8Array(digest).toHex()}  ${name}\n`;
  }));
  Deno.writeTextFileSync(`${folder}/SHA256SUMS`, lines.join(""));
}

/** A window over the whole file, and normalised call addresses, save five per cent. */
function xzOptions(target: string): string {
  return `${target.startsWith("x86_64") ? "--x86 " : ""}--lzma2=preset=9,dict=96MiB`;
}

interface RunOptions {
  cwd: string;
  env: Record<string, string>;
}

async function run([program = "", ...args]: readonly string[], options: RunOptions): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdin: "null", ...options }).output();
  if (!success) throw new BuildError(`${program} failed: ${new TextDecoder().decode(stderr).trim()}`);
}
