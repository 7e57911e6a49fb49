/** A part of a release, as the dry run does it. */

export interface Step {
  readonly name: string;
  /** What was done, in a few words. Throws a BuildError if it failed, and Skipped if it could not be tried. */
  readonly work: () => Promise<string>;
}

export interface Outcome {
  readonly kind: "done" | "skipped" | "failed";
  readonly text: string;
}

/** It cannot be done on this machine; the message says why. */
export class Skipped extends Error {}

export function megabytes(path: string): string {
  const { size } = Deno.statSync(path);
  return size < 100_000 ? `${(size / 1e3).toFixed(1)} KB` : `${(size / 1e6).toFixed(1)} MB`;
}
