/** A call whose changes are recorded, so that they can be undone: the same on every surface that records. */
import type { Changing } from "../engine/changing.ts";
import type { CallFacts, CallOutcome, CallRecorder } from "../engine/undo/mod.ts";

export interface RecordingContext {
  readonly changing: Changing;
  /** What records the changes of this call; undefined if nothing is recorded. */
  record(
    facts: Pick<CallFacts, "tool" | "summary">,
    roots: readonly string[],
  ): Promise<CallRecorder | undefined>;
  /**
   * Recovers what a dead process left half done in roots that are about to be read; undefined if there is nothing.
   */
  settle(roots: readonly string[]): Promise<void> | undefined;
}

export interface RecordedCall {
  readonly facts: Pick<CallFacts, "tool" | "summary">;
  /** The names of the roots in which something may change. */
  readonly roots: readonly string[];
  /** The error to throw instead of one that came after some changes. */
  failed?(error: unknown, outcome: CallOutcome): unknown;
}

/** What `run` returns, and the outcome of its changes: undefined if nothing is recorded. */
export async function runRecorded<C extends RecordingContext, T>(
  context: C,
  { facts, roots, failed }: RecordedCall,
  run: (context: C) => Promise<T>,
): Promise<{ made: T; outcome: CallOutcome | undefined }> {
  const recording = await context.record(facts, roots);
  if (recording === undefined) return { made: await run(context), outcome: undefined };
  try {
    const made = await run({ ...context, changing: { ...context.changing, recording } });
    return { made, outcome: await recording.finish() };
  } catch (error) {
    const outcome = await recording.finish();
    throw failed?.(error, outcome) ?? error;
  }
}
