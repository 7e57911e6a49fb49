/**
 * Checks whether somebody is at the other end of a stream. What is sent to a client that does not read goes
 * into the system's buffers, for hours if it is little; so a client that has been quiet for long gets a ping,
 * which every client must answer.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

const PING_ID = "paddock-ping-";

export class Pulse {
  #heardAt = performance.now();
  #asked = false;
  #pings = 0;

  /** Call this when the client has sent something. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#asked = false;
  }

  /** Whether a message is only the answer to our ping. */
  isAnswer(message: JSONRPCMessage): boolean {
    return !("method" in message) && String(message.id).startsWith(PING_ID);
  }

  /** Pings a client that has been quiet this long. False when an earlier ping is still unanswered. */
  check(quietMs: number, send: (ping: JSONRPCMessage) => void): boolean {
    if (performance.now() - this.#heardAt < quietMs) return true;
    if (this.#asked) return false;
    this.#asked = true;
    send({ jsonrpc: "2.0", id: `${PING_ID}${++this.#pings}`, method: "ping" }); // no id is used twice in a session
    return true;
  }
}
