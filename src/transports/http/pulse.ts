/**
 * Whether somebody is at the other end of a stream. What is sent to a client that does not read goes into the
 * system's buffers, for hours if it is little; so a client that has been quiet for long is asked by a ping, which
 * every client has to answer.
 */
import { type JSONRPCMessage } from "@modelcontextprotocol/server";

const PING_ID = "paddock-ping-";

export class Pulse {
  #heardAt = performance.now();
  #asked = false;
  #pings = 0;

  /** The client has sent something. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#asked = false;
  }

  /** Whether a message is nothing but the answer to our question. */
  isAnswer(message: JSONRPCMessage): boolean {
    return !("method" in message) && String(message.id).startsWith(PING_ID);
  }

  /** Asks a client that has been quiet for so long. False when it has been asked before, and did not answer. */
  check(quietMs: number, send: (ping: JSONRPCMessage) => void): boolean {
    if (performance.now() - this.#heardAt < quietMs) return true;
    if (this.#asked) return false;
    this.#asked = true;
    send({ jsonrpc: "2.0", id: `${PING_ID}${++this.#pings}`, method: "ping" }); // no id is used twice in a session
    return true;
  }
}
