/**
 * `subscriptions/listen` of revision 2026-07-28 over HTTP: a stream of the notifications a client wants. The
 * SDK validates the request; the stream is served here, because the SDK's own promises whatever is asked for,
 * and keeps what a client does not read for ever.
 */
import {
  type McpHttpHandler,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import type { ByteBudget } from "../../base/byte_budget.ts";
import { BAD_WISHES, metWishes, type Wishes } from "../../server/listen.ts";
import type { Tools } from "../../server/methods.ts";
import type { Notice, Notices } from "../../server/notices.ts";
import { SERVER_NAME } from "../../server/server_info.ts";
import { idOf } from "../messages.ts";
import { refusal } from "./answers.ts";
import { EventStream } from "./event_stream.ts";

/** How many streams may be open at once. */
const MOST_STREAMS = 500;

/** A client with this much unread is not listening. */
export const MOST_UNHEARD = 1024 * 1024;

export interface ListenStreamsOptions {
  notices: Notices;
  resources?: Tools | undefined;
  budget?: ByteBudget | undefined;
}

export class ListenStreams {
  readonly #options: ListenStreamsOptions;
  readonly #open = new Set<() => void>();

  constructor(options: ListenStreamsOptions) {
    this.#options = options;
  }

  async serve(request: Request, value: unknown, judge: McpHttpHandler): Promise<Response> {
    const id = idOf(value);
    const { params } = value as { params?: { notifications?: unknown } | null };
    const isAnything = typeof params?.notifications === "object" && params.notifications !== null;
    const parsedBody = isAnything ? { ...value as object, params: { ...params, notifications: {} } } : value;
    const judged = await judge.fetch(request, { parsedBody });
    const isTaken = judged.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (!isTaken || id === null) return judged;
    await judged.body?.cancel();
    const refuse = (message: string) => refusal({ id, status: 400, code: -32602, message });
    if (this.#open.size >= MOST_STREAMS) return refuse(`at most ${MOST_STREAMS} streams at once`);
    return await this.#stream(id, params?.notifications) ?? refuse(BAD_WISHES);
  }

  /** Ends all of them, and tells their clients. */
  close(): void {
    for (const end of [...this.#open]) end();
  }

  async #stream(id: string | number, wanted: unknown): Promise<Response | undefined> {
    const { notices, resources, budget } = this.#options;
    const stream = new EventStream({ onGone: () => left(), budget });
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    const send = (message: object) => stream.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    let wishes: Wishes = {};
    const member = notices.join((notice) => {
      if (!isWished(notice, wishes)) return;
      const params = "params" in notice ? notice.params : {};
      if (stream.waiting <= MOST_UNHEARD) {
        return send({ method: notice.method, params: { ...params, _meta } });
      }
      left();
      stream.close();
    });
    const end = () => {
      left();
      send({
        id,
        result: { resultType: "complete", _meta: { ..._meta, [SERVER_INFO_META_KEY]: SERVER_NAME } },
      });
      stream.close();
    };
    const left = () => {
      member.leave();
      this.#open.delete(end);
    };
    this.#open.add(end);
    const met = await metWishes(wanted, { member, resources });
    if (met === undefined) {
      left();
      stream.close();
      return undefined;
    }
    const method = "notifications/subscriptions/acknowledged";
    send({ method, params: { notifications: met, _meta } });
    wishes = met;
    if (Object.keys(met).length === 0) end();
    return stream.response();
  }
}

function isWished(notice: Notice, wishes: Wishes): boolean {
  switch (notice.method) {
    case "notifications/tools/list_changed":
      return wishes.toolsListChanged === true;
    case "notifications/resources/list_changed":
      return wishes.resourcesListChanged === true;
    case "notifications/resources/updated":
      return true; // members get only their own subscriptions
  }
}
