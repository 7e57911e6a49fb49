/** Who is connected over HTTP, for the operator. */
import type { Server } from "@modelcontextprotocol/server";

export interface Visitor {
  /** The name used for it in changes and calls; it does not grant access. */
  readonly session: string;
  readonly client: string | null;
  readonly version: string | null;
  readonly transport: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

interface Known {
  readonly server: Server;
  readonly transport: string;
  readonly since: number;
}

export class Visitors {
  readonly #known = new Map<string, Known>();

  /** Lists the connection until it is closed. */
  add(session: string, server: Server, transport: string): void {
    this.#known.set(session, { server, transport, since: Date.now() });
    const before = server.onclose;
    server.onclose = () => {
      this.#known.delete(session);
      before?.();
    };
  }

  list(): Visitor[] {
    return [...this.#known].map(([session, { server, transport, since }]) => {
      const { name = null, version = null } = server.getClientVersion() ?? {};
      return { session, client: name, version, transport, since };
    });
  }
}
