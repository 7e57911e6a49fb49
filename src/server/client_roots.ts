/**
 * The folders that a client works in (MCP's roots), for surfaces that want to know: requested after
 * `initialized`, and again when the client reports a change. In 2026-07-28, where a server sends no requests
 * of its own, a call is answered with the question and comes again with the answer.
 */
import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Logger } from "../base/log.ts";
import { within } from "../base/within.ts";

/** Accepts more than the SDK does: the surface drops what is not a `file:` URI. */
const rootsList = z.object({ roots: z.array(z.object({ uri: z.string() })).max(1_000) });

/** How long a client may take to answer at all. */
const ANSWER_MS = 30_000;
/** How long a call waits for the answer, once per connection; then it is served without. */
const WAIT_MS = 2_000;

const KEY = "roots";

/** The answer to a call that lacks the client's roots. */
export const ASK_FOR_ROOTS = {
  resultType: "input_required",
  inputRequests: { [KEY]: { method: "roots/list" } },
};

export class ClientRoots {
  readonly #server: Server;
  readonly #log: Logger;
  #uris: readonly string[] | undefined;
  #asked: Promise<void> | undefined;
  /** The number of the latest question, whose answer counts. */
  #question = 0;

  constructor(server: Server, log: Logger) {
    this.#server = server;
    this.#log = log;
    server.oninitialized = () => this.#ask();
    server.setNotificationHandler("notifications/roots/list_changed", () => this.#ask());
  }

  /**
   * The URIs for a call; undefined where the client reports none. "ask" when the call should be answered with
   * that question.
   */
  async of({ mcpReq }: ServerContext): Promise<readonly string[] | undefined | "ask"> {
    if (mcpReq.envelope !== undefined) return rootsOfCall(mcpReq);
    const asked = this.#asked;
    if (asked !== undefined) {
      await within(WAIT_MS, asked);
      if (this.#asked === asked) this.#asked = undefined; // later calls do not wait
    }
    return this.#uris;
  }

  #ask(): void {
    if (this.#server.getClientCapabilities()?.roots === undefined) return;
    const question = ++this.#question;
    this.#asked = this.#server.request({ method: "roots/list" }, rootsList, { timeout: ANSWER_MS }).then(
      ({ roots }) => {
        if (question === this.#question) this.#uris = roots.map(({ uri }) => uri);
      },
      (error) => {
        if (question !== this.#question) return;
        const reason = `the client did not report its roots: ${
          error instanceof Error ? error.message : error
        }`;
        this.#log.warn("client_roots_unknown", { reason });
      },
    );
  }
}

/** From what comes with the call. A client that was asked is not asked again, whatever it answered. */
function rootsOfCall(
  { envelope, inputResponses }: ServerContext["mcpReq"],
): readonly string[] | undefined | "ask" {
  const facts = envelope as Record<string, { roots?: unknown } | undefined> | undefined;
  const capabilities = facts?.[CLIENT_CAPABILITIES_META_KEY];
  if (capabilities?.roots === undefined) return undefined;
  if (inputResponses === undefined) return "ask";
  const told = rootsList.safeParse((inputResponses as Record<string, unknown>)[KEY]);
  return told.success ? told.data.roots.map(({ uri }) => uri) : undefined;
}
