/**
 * The public side of undo: a call's recorder, and the stores. Loaded at the first change, or when changes are read.
 */
export { type CallOutcome, CallRecorder } from "./recorder.ts";
export type { Applied } from "./apply_changes.ts";
export { type Operation, OperationFailure, type Wanted } from "./changes.ts";
export { type HistoryPage, type HistoryQuery, type ShownChange, timeOf } from "./history.ts";
export { StoreKeeper } from "./keeper.ts";
export { type Asking, type Restored, type Undone, UndoOperations } from "./operations.ts";
export { recoverIfThere } from "./recover.ts";
export type { CallFacts } from "./store_change.ts";
