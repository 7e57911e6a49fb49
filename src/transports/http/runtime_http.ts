/**
 * The runtime's HTTP for a connection that was accepted elsewhere. Deno has it, and uses it for its own server and
 * for node:http, but does not list it among its API: so it is asked for carefully, and may be missing in another
 * version. (What else there is: node:http can bound its connections, but hears of no new one any more after one
 * accept has failed for want of descriptors; and bytes that are read and written here cost twice the time.)
 */

export interface ConnectionOptions {
  /** Ends the connection at once. */
  signal: AbortSignal;
  handler: (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
  onError: (error: unknown) => Response | Promise<Response>;
}

/** One connection that is being served. */
export interface ServedConnection {
  readonly finished: Promise<void>;
  /** Lets it have the answers that are due. */
  shutdown(): Promise<void>;
}

export type ServeOn = (connection: Deno.TcpConn, options: ConnectionOptions) => ServedConnection;

type Internal = (
  connection: Deno.TcpConn,
  signal: AbortSignal,
  handler: ConnectionOptions["handler"],
  onError: ConnectionOptions["onError"],
  onListen: () => void,
) => ServedConnection;

/** Undefined where this runtime has no such function. */
export function serveOnConnection(): ServeOn | undefined {
  const { internal } = Deno as unknown as { internal?: symbol };
  if (internal === undefined) return undefined;
  const internals =
    (Deno as unknown as Record<symbol, { serveHttpOnConnection?: Internal } | undefined>)[internal];
  const serve = internals?.serveHttpOnConnection;
  if (typeof serve !== "function") return undefined;
  return (connection, { signal, handler, onError }) =>
    serve(connection, forgiving(signal), handler, onError, () => {});
}

/**
 * The same signal, with listeners that fail in silence. The runtime's own listener ends a connection by its number, and
 * throws if the client has just ended it; an error in a listener is nobody's to catch, and would end the server.
 */
function forgiving(signal: AbortSignal): AbortSignal {
  const add = signal.addEventListener.bind(signal) as EventTarget["addEventListener"];
  const addForgiving: EventTarget["addEventListener"] = (type, listener, options) => {
    const call = typeof listener === "function" ? listener : listener?.handleEvent.bind(listener);
    add(type, (event) => {
      try {
        call?.(event);
      } catch { /* the connection has ended by itself */ }
    }, options);
  };
  return Object.assign(signal, { addEventListener: addForgiving });
}
