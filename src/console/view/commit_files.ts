/** Files of commits, as the console compares them. */
import type { FileVersions, History, Version } from "../../engine/history/mod.ts";
import { ABSENT_SIDE, bareSide, type RawFile, type RawSide, statusOf } from "./raw_file.ts";

const MODE_LINK = 0o120000;
const MODE_REPOSITORY = 0o160000;

type Contents = ReadonlyMap<string, Uint8Array>;

/** `made` holds contents that are in no commit yet. */
export function rawFile(
  { path, from, before, after }: FileVersions,
  history: History,
  made?: Contents,
): RawFile {
  const was = from ?? path;
  const sides = {
    before: before === undefined ? ABSENT_SIDE : sideOfVersion(before, { path: was, history }),
    after: after === undefined ? ABSENT_SIDE : sideOfVersion(after, { path, history, made }),
  };
  const isMoved = from !== undefined;
  return { path: was, to: isMoved ? path : null, status: isMoved ? "moved" : statusOf(sides), ...sides };
}

export function sideOfVersion(
  { mode, oid }: Version,
  { path, history, made }: { path: string; history: History; made?: Contents | undefined },
): RawSide {
  if (mode === MODE_REPOSITORY) return bareSide({ kind: "other", hash: oid });
  const bytes = made?.get(oid);
  return {
    kind: mode === MODE_LINK ? "link" : "file",
    size: bytes?.length ?? history.size(oid) ?? null,
    mode: mode & 0o777,
    hash: oid,
    target: null,
    bytes: (most) => bytes === undefined ? history.content(oid, { path, most }) : Promise.resolve(bytes),
  };
}
