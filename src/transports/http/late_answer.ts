/**
 * Answers that take a while. Deno notices that a client has gone away only when the response has begun, unless the
 * request was tiny. So a response whose answer is not there soon is begun without it; white space, which JSON may
 * have in front, keeps it alive. Its status is 200 then, whatever becomes of the call: the JSON in it tells.
 */

import { type Deadlines } from "../../base/deadlines.ts";

/** Long enough for most calls, which get a plain answer, and short enough for a call nobody waits for. */
export const SOON_MS = 100;
const KEEP_ALIVE_MS = 15_000;

export interface LateAnswerOptions {
  /** Called when the client has gone away before the answer was there. */
  onGone: () => void;
  /** What soon means. */
  soon: Deadlines;
  keepAliveMs?: number;
}

/** The answer if it comes soon, or else a response that it will be the body of. */
export async function withoutWaiting(
  answer: Promise<Response>,
  options: LateAnswerOptions,
): Promise<Response> {
  const { onGone, soon, keepAliveMs = KEEP_ALIVE_MS } = options;
  const late = Promise.withResolvers<undefined>();
  const met = soon.set(() => late.resolve(undefined));
  try {
    return await Promise.race([answer, late.promise]) ?? begun(answer, { onGone, keepAliveMs });
  } finally {
    met();
  }
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
