/** The manifest for a bucket of Scoop. */
import { NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, downloadUrl, LICENSE } from "../project.ts";
import type { Target } from "../targets.ts";
import { archiveOf, type Sums } from "./sums.ts";

const ARCHITECTURES = {
  "64bit": "x86_64-pc-windows-msvc",
  arm64: "aarch64-pc-windows-msvc",
} as const satisfies Record<string, Target>;

export function scoopManifest(sums: Sums) {
  const each = <T>(of: (target: Target) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(ARCHITECTURES).map(([name, target]) => [name, of(target)]));
  const later = (text: string) => text.replaceAll(VERSION, "$version");
  return {
    version: VERSION,
    description: DESCRIPTION,
    homepage: REPOSITORY_URL,
    license: LICENSE,
    architecture: each((target) => {
      const { file, folder, sha256 } = archiveOf(target, sums);
      return { url: downloadUrl(file), hash: sha256, extract_dir: folder };
    }),
    bin: `${NAME}.exe`,
    checkver: "github",
    autoupdate: {
      architecture: each((target) => {
        const { file, folder } = archiveOf(target, sums);
        return { url: later(downloadUrl(file)), extract_dir: later(folder) };
      }),
      hash: { url: "$baseurl/SHA256SUMS" },
    },
  };
}
