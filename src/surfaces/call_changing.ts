/** What a call that changes files gets, on every surface that writes them one by one. */
import type { Config } from "../base/config.ts";
import type { Changing } from "../engine/changing.ts";
import type { Locks } from "../engine/locks.ts";
import type { TempSweeper } from "../engine/temp_sweeper.ts";
import type { ToolCall } from "../tools/tool.ts";

export interface ChangingParts {
  readonly config: Config;
  readonly locks: Locks;
  readonly sweeper: TempSweeper;
}

export function changingFor(call: ToolCall, { config, locks, sweeper }: ChangingParts): Changing {
  return {
    locks,
    sweeper,
    umask: config.host.umask,
    signal: call.signal,
    begin: call.begin,
    lockWaitMs: Math.min(config.timeoutMs, 30_000),
    onEntry: call.progress &&
      ((done) => call.progress?.({ progress: done, message: `${done} entries done` })),
  };
}
