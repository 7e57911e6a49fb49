/**
 * The tools as a connection with one output needs them: a call begins when there is room for its answer, and
 * calls that have begun can be waited for, so that one that was told to stop still ends and logs its end.
 */
import { type Tools } from "../server/mcp.ts";
import { type ToolCall } from "../tools/tool.ts";

export class PatientTools implements Tools {
  readonly #tools: Tools;
  readonly #hasRoom: () => Promise<void>;
  readonly #running: Set<Promise<unknown>>;

  constructor(tools: Tools, hasRoom: () => Promise<void>, running = new Set<Promise<unknown>>()) {
    this.#tools = tools;
    this.#hasRoom = hasRoom;
    this.#running = running;
  }

  /** Other tools on the same connection. */
  like(tools: Tools): PatientTools {
    return new PatientTools(tools, this.#hasRoom, this.#running);
  }

  list() {
    return this.#tools.list();
  }

  accessOf(name: string) {
    return this.#tools.accessOf(name);
  }

  async call(name: string, args: unknown, call: ToolCall) {
    await this.#hasRoom();
    const running = this.#tools.call(name, args, call);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Waits until the calls that have begun have ended, but not for ever. */
  async ended(maxMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((resolve) => timer = setTimeout(resolve, maxMs));
    await Promise.race([Promise.allSettled(this.#running), enough]);
    clearTimeout(timer);
  }
}
