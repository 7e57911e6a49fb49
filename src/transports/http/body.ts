/** Reads a request's body: limited in size and in time, whatever its headers claim. */
import { parseJson } from "../json.ts";
import { rpcError } from "./answers.ts";
import { Deadlines } from "../../base/deadlines.ts";

export type Body =
  | { kind: "text"; text: string }
  | { kind: "too-large" }
  | { kind: "too-slow" }
  | { kind: "no-room" }
  | { kind: "garbled" };

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
  /** A shared timer with the same time limit. */
  deadlines?: Deadlines;
  /**
   * Asks for room for this many bytes of the request; undefined when there is room, or else what to wait for.
   */
  room?: (request: Request, bytes: number, signal: AbortSignal) => Promise<void> | undefined;
  /** The status for a body that is not JSON, where not 415. */
  wrongType?: 400 | 415;
}

/** The JSON value in a request, or the answer that says why there is none. */
export async function readJson(request: Request, limits: BodyLimits): Promise<{ value: unknown } | Response> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    const { wrongType = 415 } = limits;
    const what = wrongType === 415 ? "Unsupported Media Type" : "Bad Request";
    return rpcError(wrongType, -32000, `${what}: Content-Type must be application/json`);
  }
  const body = await readBody(request, limits);
  switch (body.kind) {
    case "too-large":
      return rpcError(
        413,
        -32600,
        `Request too large: at most ${limits.maxBytes} bytes are allowed (--max-size)`,
        { connection: "close" },
      );
    case "too-slow":
      return rpcError(408, -32600, "Request Timeout: the body took too long", { connection: "close" });
    case "no-room":
      return rpcError(503, -32000, `Service Unavailable: ${NO_ROOM}`, {
        "retry-after": "5",
        connection: "close",
      });
    case "garbled":
      return rpcError(400, -32700, "Parse error: the body is not valid UTF-8");
    case "text": {
      const parsing = parseJson(body.text, "body");
      const parsed = parsing instanceof Promise ? await parsing : parsing;
      return "value" in parsed ? parsed : rpcError(400, parsed.code, parsed.message);
    }
  }
}

/** The answer when there is no room for a body. */
export const NO_ROOM = "too many large requests and answers are in flight; try again in a moment";

/** This much of every body is read without asking for room: nearly all are no longer. */
const SMALL = 64 * 1024;

export async function readBody(
  request: Request,
  { maxBytes, timeoutMs, deadlines, room }: BodyLimits,
): Promise<Body> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBytes) return { kind: "too-large" };
  const own = deadlines ?? new Deadlines(timeoutMs);
  if (announced > 0 && announced <= SMALL && !request.headers.has("transfer-encoding")) {
    try {
      return await readAtOnce(request, { deadlines: own, maxBytes });
    } finally {
      if (deadlines === undefined) own.close();
    }
  }
  if (request.body === null) return { kind: "text", text: "" };
  const reader = request.body.getReader();
  const late = Promise.withResolvers<"late">();
  let met = own.set(() => late.resolve("late"));
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === "late") return { kind: "too-slow" };
      if (next.done) break;
      const before = size;
      size += next.value.length;
      if (size > maxBytes) return { kind: "too-large" };
      if (before <= SMALL && size > SMALL) {
        const waiting = new AbortController();
        // A body without a length may become as long as any.
        const granted = room?.(request, announced > 0 ? announced : maxBytes, waiting.signal);
        if (granted !== undefined) {
          if (await Promise.race([granted, late.promise]) === "late") {
            waiting.abort();
            granted.catch(() => {});
            return { kind: "no-room" };
          }
          met();
          met = own.set(() => late.resolve("late")); // the client had to wait, so its time starts again
        }
      }
      chunks.push(next.value);
    }
  } catch {
    return { kind: "garbled" }; // the client disconnected
  } finally {
    met();
    if (deadlines === undefined) own.close();
    reader.cancel().catch(() => {}); // the rest is not wanted
  }
  try {
    return { kind: "text", text: decode(chunks) };
  } catch {
    return { kind: "garbled" };
  }
}

/** A short body of a known length, which the runtime reads without making a stream of it. */
async function readAtOnce(
  request: Request,
  { deadlines, maxBytes }: Pick<BodyLimits, "maxBytes"> & { deadlines: Deadlines },
): Promise<Body> {
  const late = Promise.withResolvers<"late">();
  const met = deadlines.set(() => late.resolve("late"));
  try {
    const bytes = await Promise.race([request.bytes(), late.promise]);
    if (bytes === "late") return { kind: "too-slow" };
    return bytes.length > maxBytes ? { kind: "too-large" } : { kind: "text", text: whole.decode(bytes) };
  } catch {
    return { kind: "garbled" }; // not UTF-8, or the client broke off
  } finally {
    met();
  }
}

const whole = new TextDecoder("utf-8", { fatal: true });

function decode(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 1) return whole.decode(chunks[0]);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
