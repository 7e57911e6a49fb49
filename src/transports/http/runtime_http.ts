/**
 * The runtime's HTTP for a connection that was accepted elsewhere. Deno has it, and uses it for its own
 * server and for node:http, but it is not part of the public API: so it is looked up carefully, and may be
 * missing in another version. (The alternatives: node:http can limit its connections, but accepts no new ones
 * after one accept has failed for lack of descriptors; and reading and writing the bytes here costs twice the
 * time.)
 */

export interface ConnectionOptions {
  /** Ends the connection at once. */
  signal: AbortSignal;
  handler: (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
  onError: (error: unknown) => Response | Promise<Response>;
}

/** A connection being served. */
export interface ServedConnection {
  readonly finished: Promise<void>;
  /** Lets it receive the answers that are due. */
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
 * The same signal, with listeners that fail silently. The runtime's own listener ends a connection by its
 * number, and throws if the client has just ended it; nobody can catch an error in a listener, and it would
 * end the server.
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
