/**
 * Answers that take a while. Deno notices that a client has gone away only once the response has begun,
 * unless the request was tiny. So a response whose answer is not ready soon is begun without it; leading
 * white space, which JSON allows, keeps it alive. Its status is then 200, whatever becomes of the call: the
 * JSON says.
 */

import type { Deadlines } from "../../base/deadlines.ts";

/** Long enough for most calls to get a plain answer, and short enough to notice a call nobody waits for. */
export const SOON_MS = 100;
const KEEP_ALIVE_MS = 15_000;

export interface LateAnswerOptions {
  /** Called when the client has gone away before the answer was ready. */
  onGone: () => void;
  /** Defines how long "soon" is. */
  soon: Deadlines;
  keepAliveMs?: number;
}

/** The answer if it comes soon, or else a response that will have it as its body. */
export function withoutWaiting(answer: Promise<Response>, options: LateAnswerOptions): Promise<Response> {
  const { onGone, soon, keepAliveMs = KEEP_ALIVE_MS } = options;
  return new Promise((resolve, reject) => {
    const met = soon.set(() => resolve(begun(answer, { onGone, keepAliveMs })));
    answer.then(resolve, reject).finally(met);
  });
}

function begun(
  answer: Promise<Response>,
  { onGone, keepAliveMs }: Required<Omit<LateAnswerOptions, "soon">>,
) {
  let timer: ReturnType<typeof setInterval>;
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      timer = setInterval(() => controller.enqueue(new Uint8Array([0x20])), keepAliveMs);
      try {
        const bytes = await (await answer).bytes();
        if (open && bytes.length > 0) controller.enqueue(bytes);
        if (open) controller.close();
      } catch (error) {
        if (open) controller.error(error);
      } finally {
        clearInterval(timer);
      }
    },
    cancel: () => {
      open = false;
      clearInterval(timer);
      onGone();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
