/** JSON-RPC messages as clients send them, which is not always as the protocol has them. */
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { type Id } from "./batches.ts";

/** Throws when it is none. */
export function parseMessage(value: unknown): JSONRPCMessage {
  return parseJSONRPCMessage(withoutExtras(value));
}

const OF_CALLS = ["jsonrpc", "id", "method", "params"];
const OF_ANSWERS = ["jsonrpc", "id", "result", "error"];

/** The members that the protocol knows, and no `params` where they are null: the SDK refuses anything else. */
export function withoutExtras(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const message = value as Record<string, unknown>;
  const known = message.method === undefined ? OF_ANSWERS : OF_CALLS;
  const isKnown = (name: string) => known.includes(name) && !(name === "params" && message[name] === null);
  const names = Object.keys(message);
  if (names.every(isKnown)) return message; // as nearly all are
  return Object.fromEntries(names.filter(isKnown).map((name) => [name, message[name]]));
}

/** The id of a message that may be none at all; null where none is known. */
export function idOf(value: unknown): Id | null {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

const LONGEST_ID = 100;

/** Why a request is refused whose answer could not be told from that of another one. */
export function idInUse(id: Id): string {
  const shown = JSON.stringify(typeof id === "string" ? id.slice(0, LONGEST_ID) : id);
  return `Invalid Request: a request with the id ${shown} is still in flight; give each request an id of its own`;
}
