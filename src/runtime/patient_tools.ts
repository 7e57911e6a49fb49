/**
 * The current tools, wherever they are. A call that they can no longer serve, because a directory was
 * replaced, waits for new ones.
 */
import { within } from "../base/within.ts";
import type { Tools } from "../server/methods.ts";
import type { ToolCall, ToolResult } from "../tools/tool.ts";

/** How long a call waits for new tools. */
const REOPEN_MS = 5_000;

/** A directory that keeps being replaced is not waited for again and again. */
const ATTEMPTS = 3;

export class PatientTools implements Tools {
  readonly #now: () => Tools;
  readonly #others: () => Promise<void>;

  /** `others` settles when the tools have been replaced. */
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
