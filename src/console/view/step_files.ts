/** Files of recorded changes, as the console compares them. */
import { type State, type Step, storedBytes, type UndoStore } from "../../engine/undo/looking.ts";
import { ABSENT_SIDE, bareSide, type RawFile, type RawSide, statusOf } from "./raw_file.ts";

/** What a plan would write that is in no store yet, by its hash. */
type Made = (hash: string | undefined) => Uint8Array | undefined;

export function fileOfStep(step: Step, store: UndoStore, made?: Made): RawFile {
  if (step.op === "move") {
    return {
      path: step.path,
      to: step.dest,
      status: "moved",
      before: bareSide({ kind: "other" }),
      after: bareSide({ kind: "other" }),
    };
  }
  const { path } = step;
  const sides = {
    before: sideOfState(step.before, { path, store, made }),
    after: sideOfState(step.after, { path, store, made }),
  };
  return { path, to: null, status: statusOf(sides), ...sides };
}

export function sideOfState(
  state: State,
  { path, store, made }: { path: string; store: UndoStore; made?: Made | undefined },
): RawSide {
  switch (state.kind) {
    case "absent":
      return ABSENT_SIDE;
    case "link":
      return bareSide({ kind: "link", target: state.target });
    case "other":
      return bareSide({ kind: "other" });
    case "file":
      return {
        kind: "file",
        size: state.size,
        mode: state.mode,
        hash: state.hash ?? null,
        target: null,
        bytes: async (most) =>
          state.size > most
            ? undefined
            : made?.(state.hash) ?? await storedBytes(store, state, { path, most }),
      };
    default:
      return bareSide({ kind: state.kind, mode: state.mode });
  }
}
