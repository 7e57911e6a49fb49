/** The console's view of undo: stores opened read-only, and what can be derived from them. */
export { type FileVersion, fileVersions, type VersionPlace } from "./file_versions.ts";
export { showableSteps } from "./history.ts";
export { lookAt } from "./look.ts";
export { changesToUndo, restorePlan, STALE_PLAN, undoPlan } from "./planned.ts";
export type { ChangeRow } from "./records.ts";
export type { State, Step } from "./state.ts";
export { hasDatabase, UndoStore } from "./store.ts";
export { storedBytes } from "./stored_bytes.ts";
export { entryOf, marksOf, tally, timeline, type TimelineEntry } from "./timeline.ts";
export { StoreTrouble, troubleOf } from "./trouble.ts";
