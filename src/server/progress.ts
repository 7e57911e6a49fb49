/**
 * How far a call has come, told to a client that has asked for it with a progress token. Tools tell as often as
 * they like: only a few notifications a second are sent, each with more than the one before, and none after the
 * answer.
 */
import { type ServerContext } from "@modelcontextprotocol/server";
import { type Progress } from "../tools/tool.ts";

const EVERY_MS = 250;

export interface ProgressReports {
  /** Undefined when the client has not asked for it. */
  readonly progress: ((done: Progress) => void) | undefined;
  /** The call is answered. */
  end(): void;
}

export function progressReports({ mcpReq }: Pick<ServerContext, "mcpReq">): ProgressReports {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { progress: undefined, end: () => {} };
  let hasEnded = false;
  let last = -Infinity;
  let nextAt = performance.now() + EVERY_MS;
  return {
    progress: ({ progress, total, message }) => {
      if (hasEnded || progress <= last || performance.now() < nextAt) return;
      last = progress;
      nextAt = performance.now() + EVERY_MS;
      const params = {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      // A client that has gone meanwhile is nobody to tell.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
    end: () => {
      hasEnded = true;
    },
  };
}
