/** Checks what a request asks: the parameters of a GET, the body of a POST. */
import type { z } from "zod";
import { readBody } from "../../transports/http/body.ts";
import { REQUESTS } from "../schemas.ts";
import { failure } from "./answers.ts";

/** Enough for a few names and paths. */
const MOST_BODY = 64 * 1024;
const BODY_MS = 10_000;
const MOST_QUERY = 16 * 1024;

type RequestName = keyof typeof REQUESTS;

export type Checked<K extends RequestName> = { value: z.output<typeof REQUESTS[K]> } | Response;

export function checkedQuery<K extends RequestName>(name: K, url: URL): Checked<K> {
  if (url.search.length > MOST_QUERY) return failure("TOO_LARGE", "the query is too long");
  const given: Record<string, string | string[]> = {};
  for (const key of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(key);
    if (key === "source" && name === "changes") given[key] = values;
    else if (values.length > 1) {
      return failure("INVALID_INPUT", `${shownName(key)} is given ${values.length} times`);
    } else given[key] = values[0] ?? "";
  }
  return checked(name, given);
}

export async function checkedBody<K extends RequestName>(name: K, request: Request): Promise<Checked<K>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return failure("INVALID_INPUT", "Content-Type must be application/json", { status: 415 });
  }
  const body = await readBody(request, { maxBytes: MOST_BODY, timeoutMs: BODY_MS });
  switch (body.kind) {
    case "text":
      break;
    case "too-large":
      return failure("TOO_LARGE", `the body may have ${MOST_BODY} bytes at most`, {
        headers: { connection: "close" },
      });
    case "too-slow":
      return failure("TIMEOUT", "the body took too long", { status: 408, headers: { connection: "close" } });
    default:
      return failure("INVALID_INPUT", "the body cannot be read");
  }
  try {
    return checked(name, JSON.parse(body.text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return failure("INVALID_INPUT", "the body is not valid JSON");
  }
}

function checked<K extends RequestName>(name: K, given: unknown): Checked<K> {
  const parsed = REQUESTS[name].safeParse(given);
  if (parsed.success) return { value: parsed.data as z.output<typeof REQUESTS[K]> };
  const told = parsed.error.issues.slice(0, 5).map(({ path, message }) =>
    path.length === 0 ? message : `${path.map((part) => shownName(String(part))).join(".")}: ${message}`
  );
  return failure("INVALID_INPUT", told.join("; ").slice(0, 1_000));
}

/** Makes it short and harmless, whatever it is. */
function shownName(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40));
}
