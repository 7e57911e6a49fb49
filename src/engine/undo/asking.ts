/** What can be asked of a store: its history, and to undo, restore and apply changes. Loaded when it is. */
export type { Applied } from "./apply_changes.ts";
export { type Operation, OperationFailure, type Wanted } from "./changes.ts";
export { type HistoryPage, type HistoryQuery, type ShownChange, timeOf } from "./history.ts";
export { type Asking, type Restored, type Undone, UndoOperations } from "./operations.ts";
