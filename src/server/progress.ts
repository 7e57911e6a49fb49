/**
 * Reports a call's progress to a client that asked for it with a progress token. Tools report as often as
 * they like: only a few notifications a second are sent, each further along than the one before, and none
 * after the answer.
 */
import type { Progress } from "../tools/tool.ts";

const EVERY_MS = 250;

/** Sends a report, with the client's token. */
export type Tell = (progress: Progress) => void;

export interface ProgressReports {
  progress(done: Progress): void;
  /** Call this when the call is answered. */
  end(): void;
}

export function progressReports(tell: Tell): ProgressReports {
  let hasEnded = false;
  let last = -Infinity;
  let nextAt = performance.now() + EVERY_MS;
  return {
    progress: ({ progress, total, message }) => {
      if (hasEnded || progress <= last || performance.now() < nextAt) return;
      last = progress;
      nextAt = performance.now() + EVERY_MS;
      tell({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    },
    end: () => {
      hasEnded = true;
    },
  };
}
