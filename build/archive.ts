/** The downloads of a release: each executable with README and LICENSE, and the checksums of all. */
import { run } from "./run.ts";
import { type Engine, executableName, productName } from "./targets.ts";

const ALONGSIDE = ["README.md", "CHANGELOG.md", "LICENSE"];
/** Files that get a checksum. */
const OFFERED = /^paddock-.*\.(tar\.xz|zip|mcpb)$/;

export interface ArchiveOptions {
  repository: string;
  /** Where the archive goes. */
  folder: string;
}

/** Packs one executable and returns the archive's path. Needs `tar` and `xz`, or `zip` for Windows. */
export async function archive(
  { target, engine, output }: { target: string; engine: Engine; output: string },
  { repository, folder }: ArchiveOptions,
): Promise<string> {
  const { version } = JSON.parse(Deno.readTextFileSync(`${repository}/deno.json`));
  const name = `${productName(engine)}-${version}-${target}`;
  const work = Deno.makeTempDirSync({ prefix: "paddock-archive-" });
  try {
    Deno.mkdirSync(`${work}/${name}`);
    Deno.copyFileSync(output, `${work}/${name}/${executableName(target, engine)}`);
    for (const file of ALONGSIDE) Deno.copyFileSync(`${repository}/${file}`, `${work}/${name}/${file}`);
    const packed = `${folder}/${archiveName(target, version, engine)}`;
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

export function archiveName(target: string, version: string, engine: Engine = "v8"): string {
  return `${productName(engine)}-${version}-${target}.${target.includes("windows") ? "zip" : "tar.xz"}`;
}

/** SHA256SUMS over all archives and bundles in a folder, as `sha256sum --check` reads it. */
export async function writeSums(folder: string): Promise<void> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => OFFERED.test(name))
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
