/** What others see of undo: the recorder of a call, and the stores. Loaded when the first change is made, or looked for. */
export { type CallOutcome, CallRecorder } from "./recorder.ts";
export { StoreKeeper } from "./keeper.ts";
export { type CallFacts } from "./store_change.ts";
export { StoreTrouble } from "./trouble.ts";
