/** Messages that are not plainly valid, as judged by the SDK. */
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { withoutExtras } from "./messages.ts";

/** Throws when it is not a message. */
export function parseMessage(value: unknown): JSONRPCMessage {
  return parseJSONRPCMessage(withoutExtras(value));
}
