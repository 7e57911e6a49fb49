/**
 * The public side of recording: a call's recorder, the stores, and recovery. Loaded at the first change. What can
 * be asked of a store is in asking.ts.
 */
export { type CallOutcome, CallRecorder } from "./recorder.ts";
export { StoreKeeper } from "./keeper.ts";
export { recoverIfThere } from "./recover.ts";
export type { CallFacts } from "./store_change.ts";
