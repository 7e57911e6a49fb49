/** The checksums of a release's files, by name. */
import { NAME, VERSION } from "../../src/base/version.ts";
import { BuildError } from "../run_deno.ts";
import { archiveName } from "../archive.ts";
import type { Target } from "../targets.ts";

export type Sums = ReadonlyMap<string, string>;

/** From the text of SHA256SUMS. */
export function readSums(text: string): Sums {
  return new Map(
    text.split("\n").filter((line) => line !== "").map((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      if (sum === undefined || name === undefined) throw new BuildError(`not a line of checksums: ${line}`);
      return [name, sum];
    }),
  );
}

export interface Download {
  readonly file: string;
  /** The folder in it. */
  readonly folder: string;
  readonly sha256: string;
}

export function archiveOf(target: Target, sums: Sums): Download {
  const file = archiveName(target, VERSION);
  return { file, folder: `${NAME}-${VERSION}-${target}`, sha256: sumOf(file, sums) };
}

export function sumOf(file: string, sums: Sums): string {
  const sum = sums.get(file);
  if (sum === undefined) throw new BuildError(`SHA256SUMS has no checksum for ${file}`);
  return sum;
}
