/**
 * Tools with a budget for their answers: a call can ask for room before it builds a large one. It holds what
 * it was given until its answer has been turned into bytes; from then on the transport counts those.
 */
import { type ByteBudget, Hold } from "../base/byte_budget.ts";
import type { ToolCall } from "../tools/tool.ts";
import type { Tools } from "./methods.ts";

/**
 * How many copies of an answer's bytes exist at worst while it is built: as read, as text, twice in the JSON
 * (as text and as structured content), and as bytes to send, here and on their way out.
 */
const COPIES = 8;

/** Too little for a timer of its own, which costs as much as a good part of a small call. */
const SMALL_CHANGE = 1024 * 1024;

export class BudgetedTools implements Tools {
  readonly #tools: Tools;
  readonly #budget: ByteBudget;

  constructor(tools: Tools, budget: ByteBudget) {
    this.#tools = tools;
    this.#budget = budget;
  }

  list() {
    return this.#tools.list();
  }

  accessOf(name: string) {
    return this.#tools.accessOf(name);
  }

  async call(name: string, args: unknown, call: ToolCall) {
    const hold = new Hold(this.#budget);
    const room = (bytes: number, signal = call.signal) => hold.take(bytes * COPIES, signal);
    try {
      return await this.#tools.call(name, args, { ...call, room });
    } finally {
      // The answer is turned into bytes before the next turn of the event loop.
      if (hold.bytes > SMALL_CHANGE) setTimeout(() => hold.release(), 0);
      else hold.release();
    }
  }
}
