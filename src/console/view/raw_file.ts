/** A changed file before it is prepared for a person: what it was, what it is, and where that comes from. */
import type { FileSide, FileStatus } from "../api_types.ts";

export interface RawSide extends Omit<FileSide, "image" | "mode"> {
  readonly mode: number | null;
  /** Its bytes, unless they are more than `most`, or unavailable. */
  bytes(most: number): Promise<Uint8Array | undefined>;
}

export interface RawFile {
  readonly path: string;
  readonly to: string | null;
  readonly status: FileStatus;
  readonly before: RawSide;
  readonly after: RawSide;
}

const NO_BYTES = () => Promise.resolve(undefined);

export const ABSENT_SIDE: RawSide = {
  kind: "absent",
  size: null,
  mode: null,
  hash: null,
  target: null,
  bytes: NO_BYTES,
};

/** Something without content of its own. */
export function bareSide(side: Partial<Omit<RawSide, "bytes">> & Pick<RawSide, "kind">): RawSide {
  return { ...ABSENT_SIDE, ...side };
}

export function statusOf({ before, after }: Pick<RawFile, "before" | "after">): FileStatus {
  if (before.kind === "absent") return "created";
  return after.kind === "absent" ? "removed" : "changed";
}
