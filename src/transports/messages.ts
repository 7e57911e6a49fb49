/** JSON-RPC messages as clients send them, which is not always as the protocol defines them. */
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Id } from "./batches.ts";

const OF_CALLS = ["jsonrpc", "id", "method", "params"];
const OF_ANSWERS = ["jsonrpc", "id", "result", "error"];

/** Keeps the members that the protocol knows, and drops `params` if null: the SDK refuses anything else. */
export function withoutExtras(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const message = value as Record<string, unknown>;
  const known = message.method === undefined ? OF_ANSWERS : OF_CALLS;
  const isKnown = (name: string) => known.includes(name) && !(name === "params" && message[name] === null);
  const names = Object.keys(message);
  if (names.every(isKnown)) return message; // as nearly all are
  return Object.fromEntries(names.filter(isKnown).map((name) => [name, message[name]]));
}

/**
 * A request or notification that is plainly valid, as nearly all are. Undefined means that the SDK must judge
 * it, which takes some time to load.
 */
export function plainMessage(value: unknown): JSONRPCRequest | JSONRPCNotification | undefined {
  const message = withoutExtras(value);
  if (!isObject(message)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || typeof method !== "string") return undefined;
  if (Object.hasOwn(message, "id") && typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (Object.hasOwn(message, "params") && !hasPlainMeta(params)) return undefined;
  return message as unknown as JSONRPCRequest | JSONRPCNotification;
}

function hasPlainMeta(params: unknown): boolean {
  if (!isObject(params)) return false;
  if (!Object.hasOwn(params, "_meta")) return true;
  if (!isObject(params._meta)) return false;
  const { progressToken, [RELATED_TASK]: task } = params._meta;
  return task === undefined &&
    (progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken));
}

const RELATED_TASK = "io.modelcontextprotocol/related-task";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The id of what may not be a message at all; null where none is known. */
export function idOf(value: unknown): Id | null {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The client's own name in its `initialize`. */
export function clientIn(initialize: JSONRPCMessage): string | undefined {
  const params = "method" in initialize ? initialize.params ?? {} : {};
  const { clientInfo } = params as { clientInfo?: { name?: string } };
  return clientInfo?.name;
}

const LONGEST_ID = 100;

/** The refusal of a request whose answer could not be distinguished from another's. */
export function idInUse(id: Id): string {
  const shown = JSON.stringify(typeof id === "string" ? id.slice(0, LONGEST_ID) : id);
  return `Invalid Request: a request with the id ${shown} is still in flight; give each request an id of its own`;
}
