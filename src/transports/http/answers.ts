/** The few kinds of HTTP answers besides results. */

import type { Id } from "../batches.ts";
import { withSharedText } from "../shared_text.ts";

export function rpcError(status: number, code: number, message: string, headers: HeadersInit = {}): Response {
  return refusal({ status, code, message, headers });
}

/** The answer instead of a result, and to which request, if known. */
export interface Refusal {
  id?: Id | null;
  status: number;
  code: number;
  message: string;
  headers?: HeadersInit;
}

export function refusal({ id = null, status, code, message, headers = {} }: Refusal): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status, headers });
}

/** Answers known to be short, as nearly all are: they need not be turned into bytes to be counted. */
const short = new WeakSet<Response>();
const SHORT = 16 * 1024;

export function jsonAnswer(value: unknown, headers: Record<string, string>): Response {
  const body = withSharedText(value) ?? JSON.stringify(value);
  const answer = new Response(body, { headers: { "content-type": "application/json", ...headers } });
  if (body.length <= SHORT) short.add(answer);
  return answer;
}

export function isShort(answer: Response): boolean {
  return short.has(answer);
}

export function methodNotAllowed(allowed: string): Response {
  return rpcError(405, -32000, `Method not allowed; allowed: ${allowed}`, { allow: allowed });
}

/** The headers of a stream of server-sent events. */
export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
