/** Messages that are not plainly what they should be, by the SDK's judgement. */
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { withoutExtras } from "./messages.ts";

/** Throws when it is none. */
export function parseMessage(value: unknown): JSONRPCMessage {
  return parseJSONRPCMessage(withoutExtras(value));
}
