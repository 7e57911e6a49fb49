/**
 * Each request's share of the byte budget: its body from when it is read, and its answer until that is sent.
 * A client that does not read its answer in reasonable time is given up, and the bytes with it.
 */
import { type ByteBudget, Hold } from "../../base/byte_budget.ts";
import { isShort } from "./answers.ts";
import type { Visit } from "./connections.ts";

/** How long sending any answer may take, and how much longer a long one. */
const SEND_MS = 30_000;
const BYTES_PER_MS = 128;
const SMALL = 64 * 1024;

export class Loads {
  readonly #budget: ByteBudget;
  readonly #loads = new WeakMap<Request, Load>();

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Counts this request from now on, until it is answered. */
  begin(request: Request, visit: Visit): void {
    this.#loads.set(request, new Load(new Hold(this.#budget), visit));
  }

  /** Asks for room for a body; undefined when there is room, or else what to wait for. */
  room(request: Request, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    return this.#loads.get(request)?.hold.take(bytes, signal);
  }

  /** Counts an answer, turning its body into bytes; a stream counts what it holds by itself. */
  async weigh(request: Request, answer: Response): Promise<Response> {
    if (isShort(answer)) return answer;
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (answer.body === null || isStream) return answer;
    const bytes = await answer.bytes();
    if (bytes.length < SMALL) return new Response(bytes, answer); // the system buffers it at once
    this.#loads.get(request)?.answer(bytes.length);
    answer.headers.set("content-length", String(bytes.length));
    return new Response(inPieces(bytes), answer);
  }
}

/**
 * The runtime reports whole bytes as sent as soon as it has them; from a stream it takes no more than the
 * client reads.
 */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(bytes.subarray(at, at += SMALL));
      if (at >= bytes.length) controller.close();
    },
  });
}

class Load {
  readonly hold: Hold;
  readonly #visit: Visit;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hold: Hold, visit: Visit) {
    this.hold = hold;
    this.#visit = visit;
    const over = () => {
      clearTimeout(this.#timer);
      hold.release();
    };
    visit.completed.then(over, over);
  }

  answer(bytes: number): void {
    this.hold.add(2 * bytes); // here, and on its way out
    this.#timer = setTimeout(() => this.#visit.end(), SEND_MS + bytes / BYTES_PER_MS);
  }
}
