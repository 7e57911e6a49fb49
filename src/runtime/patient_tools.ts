/**
 * The tools that serve now, whoever has them. A call that they cannot serve any more, because a directory is another
 * by now, waits for those that can.
 */
import { within } from "../base/within.ts";
import { type Tools } from "../server/methods.ts";
import { type ToolCall, type ToolResult } from "../tools/tool.ts";

/** How long a call waits for tools that can serve it. */
const REOPEN_MS = 5_000;

/** A directory that is replaced again and again is not waited for as often. */
const ATTEMPTS = 3;

export class PatientTools implements Tools {
  readonly #now: () => Tools;
  readonly #others: () => Promise<void>;

  /** `others` settles when there are other tools than now. */
  constructor(now: () => Tools, others: () => Promise<void>) {
    this.#now = now;
    this.#others = others;
  }

  list() {
    return this.#now().list();
  }

  accessOf(name: string) {
    return this.#now().accessOf(name);
  }

  async call(name: string, args: unknown, call: ToolCall): Promise<ToolResult | undefined> {
    for (let attempt = 1;; attempt++) {
      const others = this.#others();
      const answer = await this.#now().call(name, args, call);
      if (answer?.isReopening !== true) return answer;
      const { isReopening: _, ...result } = answer;
      if (attempt === ATTEMPTS || call.signal.aborted) return result;
      await within(REOPEN_MS, others);
    }
  }
}
