/** Answers below /console. Whatever they are, refusals included, a browser may do nothing but show them. */
import type { Conflict, Failure, FailureCode } from "../api_types.ts";

/** Nothing inline, nothing from elsewhere, no frames; and, in browsers that support it, no text that becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

export function answer(body: BodyInit | null, { status = 200, headers = {} }: AnswerOptions = {}): Response {
  return new Response(body, { status, headers: { ...SAFE_HEADERS, ...headers } });
}

export interface AnswerOptions {
  status?: number;
  headers?: Record<string, string>;
}

export function json(value: unknown, options: AnswerOptions = {}): Response {
  const headers = { "content-type": "application/json; charset=utf-8", ...options.headers };
  return answer(JSON.stringify(value), { ...options, headers });
}

const STATUSES: Record<FailureCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  INVALID_INPUT: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PLAN_STALE: 409,
  TOO_LARGE: 413,
  UNSUPPORTED: 422,
  UNAVAILABLE: 503,
  TOO_MANY: 429,
  TIMEOUT: 504,
  INTERNAL: 500,
};

export interface FailureOptions extends AnswerOptions {
  conflict?: Conflict | null;
}

export function failure(
  code: FailureCode,
  message: string,
  { conflict = null, status = STATUSES[code], headers = {} }: FailureOptions = {},
): Response {
  return json({ error: { code, message, conflict } } satisfies Failure, { status, headers });
}

/** Shown to a person by the browser as it is. The text is always ours, never what was sent. */
export function plainPage(status: number, text: string): Response {
  return answer(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
