/**
 * HTTP on one address, with a limit on its connections. The runtime's own server accepts everyone: a thousand
 * idle connections, which need no token, use up the process's descriptors and make its accept loop fail. So
 * connections are accepted here, and each is handed to the runtime's HTTP by itself.
 */
import { type Connection, type ConnectionLimits, Connections, type Visit } from "./connections.ts";
import type { ServeOn } from "./runtime_http.ts";

export interface ServeOptions {
  hostname: string;
  port: number;
  limits: ConnectionLimits;
  handler: (request: Request, visit: Visit) => Promise<Response>;
  onError: (error: unknown) => Response;
  /** Called when connections could not be accepted, or were refused. */
  onTrouble: (what: string) => void;
  /** The runtime's HTTP for one connection; undefined where it has none. */
  serveOn: ServeOn | undefined;
}

export interface Serving {
  /** The listening address. */
  readonly address: Deno.NetAddr;
  /** Accepts no more connections, and settles when those being answered have their answers. */
  shutdown(): Promise<void>;
}

/** How long released descriptors may take to become available. */
const AGAIN_MS = 50;

/** The errors of accepting that mean a shortage, rather than a problem with the client. */
const SHORTAGES = ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"];

/** The answer when there is no room for a connection. */
const FULL = new TextEncoder().encode(
  "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 5\r\nconnection: close\r\n" +
    "content-length: 49\r\n\r\nToo many connections, all in use; try again later",
);

/** Listens at once; throws the system's error if it cannot. */
export function serveConnections(options: ServeOptions): Serving {
  const { serveOn } = options;
  return serveOn === undefined ? serveUnbounded(options) : serveBounded(options, serveOn);
}

function serveBounded({ hostname, port, ...options }: ServeOptions, serveOn: ServeOn): Serving {
  const listener = Deno.listen({ hostname, port });
  const connections = new Connections(options.limits);
  const { handler, onError, onTrouble } = options;
  let closing = false;

  const begin = (connection: Connection, socket: Deno.TcpConn) => {
    const server = serveOn(socket, {
      signal: connection.signal,
      handler: (request, info) => handler(request, connection.visit(info)),
      onError,
    });
    connection.begun(server);
  };
  const take = (socket: Deno.TcpConn) => {
    const connection = connections.add();
    if (connection === undefined) {
      onTrouble(`all ${connections.size} connections are in use; a new one was refused`);
      return void socket.write(FULL).catch(() => {}).finally(() => socket.close());
    }
    try {
      socket.setNoDelay();
      begin(connection, socket);
    } catch { // it has been closed in the meantime
      connection.end();
    }
  };
  const accept = async () => {
    for (;;) {
      try {
        take(await listener.accept());
      } catch (error) {
        if (closing) return;
        const { code, message } = error as Error & { code?: string };
        onTrouble(`a connection could not be accepted: ${message}`);
        if (SHORTAGES.includes(code ?? "")) connections.shrink();
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  accept();
  return {
    address: listener.addr as Deno.NetAddr,
    shutdown: async () => {
      if (!closing) listener.close();
      closing = true;
      await connections.shutdown();
    },
  };
}

/**
 * Where connections cannot be handed to the runtime: its own server, restarted when its accept loop fails.
 */
function serveUnbounded({ hostname, port, handler, onError, onTrouble }: ServeOptions): Serving {
  let closing = false;
  const visit = ({ completed }: Deno.ServeHandlerInfo): Visit => ({ completed, welcome() {}, end() {} });
  const open = () => {
    const server = Deno.serve(
      { hostname, port, onListen: () => {}, onError },
      (request, info) => handler(request, visit(info)),
    );
    server.finished.catch((error) => reopen(error));
    return server;
  };
  const reopen = (error: Error) => {
    onTrouble(`connections could not be accepted: ${error.message}`);
    setTimeout(() => {
      try {
        if (!closing) server = open();
      } catch (error) {
        reopen(error as Error);
      }
    }, AGAIN_MS);
  };
  let server = open();
  return {
    address: server.addr as Deno.NetAddr,
    shutdown: async () => {
      closing = true;
      await server.shutdown();
    },
  };
}
