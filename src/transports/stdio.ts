/**
 * MCP over standard input and output, one JSON message per line. Written here because the SDK's own transport
 * drops malformed lines and batches without an answer, ends on a long line, reads long lines in quadratic
 * time and forgets calls in flight when the input ends.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { ByteBudget, USUAL_BUDGET } from "../base/byte_budget.ts";
import type { Stats } from "../base/stats.ts";
import { within } from "../base/within.ts";
import { NOT_TAKEN, STOPPING_CODE } from "../server/calls_in_flight.ts";
import type { Greeting } from "../server/greeting.ts";
import { BatchBook, type Id, isBatchRevision, type OpenBatch } from "./batches.ts";
import { parseJson } from "./json.ts";
import { EDGE, idAtEnds, type InputLine, type LineReader } from "./line_reader.ts";
import type { LineWriter } from "./line_writer.ts";
import { LongRequests } from "./long_requests.ts";
import { idInUse, idOf, plainMessage } from "./messages.ts";

export interface StdioOptions {
  reader: LineReader;
  writer: LineWriter;
  stats: Stats;
  /**
   * Counts long requests in flight. Not the budget of the answers: there a call would wait for calls that
   * wait for it to end.
   */
  requests?: ByteBudget | undefined;
  /** What has already happened on the connection. */
  opening?: Opening;
}

export interface Opening {
  lines: AsyncIterator<InputLine>;
  /** The first line, which is being read or has been read. */
  first: Promise<IteratorResult<InputLine>>;
  /** The answer to the first line, if it has been sent. */
  greeting: Greeting | undefined;
  /** Whether the SDK also answers that line, before any other; its answer is not sent again. */
  isRepeated?: boolean;
}

/** No call is accepted or begun while this many bytes of answers wait for a client that does not read. */
const MAX_UNSENT = 16 * 1024 * 1024;
/** How much long requests may hold together before no more are accepted. */
const REQUESTS = USUAL_BUDGET / 2;

const NOT_ANSWERED =
  "the server is stopping: the request could not be answered in time; send it again when the server is back";

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #stats: Stats;
  readonly #batches = new BatchBook();
  readonly #open = new Set<Id>();
  /** Subscriptions, which are answered when they end, perhaps with the connection: nobody waits for that. */
  readonly #standing = new Set<Id>();
  readonly #long: LongRequests;
  readonly #ended = Promise.withResolvers<string>();
  #idle: (() => void)[] = [];
  #revision: string | undefined;
  #closed = false;
  #doorClosed = false;
  #hasBegun = false;
  readonly #opening: Opening | undefined;
  readonly #opened = Promise.withResolvers<void>();
  #greeting: Greeting | undefined;

  constructor({ reader, writer, stats, opening, requests = new ByteBudget(REQUESTS) }: StdioOptions) {
    this.#long = new LongRequests(requests);
    this.#reader = reader;
    this.#writer = writer;
    this.#stats = stats;
    this.#opening = opening;
    if (opening?.isRepeated !== false) this.#greeting = opening?.greeting;
    if (this.#greeting === undefined) this.#opened.resolve();
  }

  /** Settles when the SDK knows what has already been answered. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Settles when no more messages come: the input ended, or nobody reads the output any more. Rejects if it fails. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Settles when nobody reads the output any more. */
  get broken(): Promise<Error> {
    return this.#writer.broken;
  }

  get isBroken(): boolean {
    return this.#writer.isBroken;
  }

  setProtocolVersion = (version: string): void => {
    this.#revision = version;
  };

  start(): Promise<void> {
    this.#writer.broken.then(() => {
      this.#stats.error();
      this.#ended.resolve("the client closed the output");
    });
    this.#read().then(
      () => this.#ended.resolve("the input ended"),
      (error) => {
        this.onerror?.(error);
        this.#ended.reject(new Error(`the input failed: ${error.message}`, { cause: error }));
      },
    );
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message || message.id === undefined ? undefined : message.id;
    if (this.#greeting !== undefined && id === this.#greeting.id) {
      return this.#confirm(message, this.#greeting);
    }
    if ("error" in message) this.#stats.error();
    const batched = this.#batches.take(id, message);
    if (id !== undefined) this.#settle(id);
    if (batched) return Promise.resolve();
    // A client that does not read must not delay a server that is stopping.
    return this.#write(message, { id, alone: this.#open.size === 0 && !this.#doorClosed });
  }

  /** Waits until every received call is answered and every answer is written, but not for ever. */
  async drain(maxMs: number): Promise<void> {
    await within(maxMs, Promise.race([this.#drained(), this.#writer.broken]));
  }

  async #drained(): Promise<void> {
    if (this.#doorClosed) await this.#reader.emptied();
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#writer.flushed();
  }

  /** Settles when the client has read enough of its answers for more to be made. */
  async hasRoom(): Promise<void> {
    while (this.#writer.unsent > MAX_UNSENT) await this.#writer.flushed();
  }

  /** Refuses requests from now on; those received before are still answered. */
  closeDoor(): void {
    this.#doorClosed = true;
    this.#reader.closeDoor();
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#reader.stop();
      this.onclose?.();
      this.#opened.resolve();
      if (!this.#writer.isBroken) {
        for (const id of [...this.#open]) this.send(stopping(id, NOT_ANSWERED)); // nobody else will
      }
      this.#open.clear();
      this.#becomeIdle();
    }
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    const lines = this.#opening?.lines ?? this.#reader[Symbol.asyncIterator]();
    for (let next = this.#opening?.first ?? lines.next();; next = lines.next()) {
      const { done, value: line } = await next;
      if (done || this.#closed) return;
      if (line.kind === "line") await this.#takeLine(line.text);
      else this.#refuse(line.kind === "long" ? line.id : null, line.code, line.message);
      await this.#opened.promise; // until then, an answer with that id is the SDK's to the greeting
      if (this.#doorClosed) continue;
      await this.hasRoom();
      await this.#long.hasRoom();
    }
  }

  /** Takes the SDK's own answer to what has already been answered. */
  #confirm(answer: JSONRPCMessage, greeting: Greeting): Promise<void> {
    if (JSON.stringify(answer) !== JSON.stringify(greeting)) {
      this.onerror?.(new Error(`initialize was answered differently: ${JSON.stringify(answer)}`));
    }
    this.#greeting = undefined;
    this.#settle(greeting.id);
    this.#opened.resolve();
    return Promise.resolve();
  }

  async #takeLine(text: string): Promise<void> {
    const parsed = await parseJson(text, "line");
    if (!("value" in parsed)) {
      const id = parsed.code === -32700 ? null : idAtEnds(text.slice(0, EDGE), text.slice(-EDGE));
      return this.#refuse(id, parsed.code, parsed.message);
    }
    const { value } = parsed;
    if (!Array.isArray(value)) return await this.#takeMessage(value, { length: text.length });
    if (value.length === 0 || !isBatchRevision(this.#revision)) {
      const why = value.length === 0 ? "an empty batch" : `revision ${this.#revision} has no batches`;
      return this.#refuse(null, -32600, `Invalid Request: ${why}`);
    }
    const batch = this.#batches.open();
    for (const message of value) await this.#takeMessage(message, { batch });
    const answers = batch.close();
    if (answers !== undefined) this.#write(answers);
  }

  #takeMessage(value: unknown, how: Taking): void | Promise<void> {
    const message = plainMessage(value);
    return message === undefined ? this.#judge(value, how) : this.#handOn(message, how);
  }

  async #judge(value: unknown, how: Taking): Promise<void> {
    const { parseMessage } = await import("./judged_message.ts");
    let message: JSONRPCMessage;
    try {
      message = parseMessage(value);
    } catch {
      this.#stats.request();
      const why = "Invalid Request: not a JSON-RPC 2.0 message";
      return this.#refuseMessage(errorResponse(idOf(value), -32600, why), how.batch);
    }
    this.#handOn(message, how);
  }

  #handOn(message: JSONRPCMessage, { batch, length = 0 }: Taking): void {
    if ("method" in message) {
      if ("id" in message) {
        const { id, method } = message;
        this.#stats.request();
        if (this.#isAnswered(id)) return this.onmessage?.(message);
        if (this.#reader.late) return this.#refuseMessage(stopping(id, NOT_TAKEN), batch);
        if (this.#open.has(id) || this.#standing.has(id)) {
          return this.#refuseMessage(errorResponse(id, -32600, idInUse(id)), batch);
        }
        (method === "subscriptions/listen" ? this.#standing : this.#open).add(id);
        batch?.expect(id);
        const handOn = () => this.#closed || this.onmessage?.(message);
        if (method !== "ping") return this.#long.pass({ id, length, handOn });
      } else if (message.method === "notifications/cancelled") {
        const id = message.params?.requestId; // a cancelled call gets no answer
        if (typeof id === "string" || typeof id === "number") this.#settle(id);
      }
    }
    this.onmessage?.(message);
  }

  /** Whether it is the first message, already answered for good. */
  #isAnswered(id: Id): boolean {
    const { greeting, isRepeated } = this.#opening ?? {};
    if (this.#hasBegun || isRepeated !== false || greeting?.id !== id) return false;
    this.#hasBegun = true;
    return true;
  }

  #settle(id: Id): void {
    this.#open.delete(id);
    this.#standing.delete(id);
    this.#long.settle(id);
    const answers = this.#batches.settle(id);
    if (answers !== undefined) this.#write(answers);
    if (this.#open.size === 0) this.#becomeIdle();
  }

  #becomeIdle(): void {
    for (const tell of this.#idle.splice(0)) tell();
  }

  /** If an answer is too long for a string, the client still gets an answer. */
  #write(
    message: unknown,
    { id, alone = false }: { id?: Id | undefined; alone?: boolean } = {},
  ): Promise<void> {
    try {
      return this.#writer.write(message, { alone });
    } catch (error) {
      this.#stats.error();
      const why = `Internal error: the answer cannot be sent (${(error as Error).message}); ask for less`;
      return this.#writer.write(errorResponse(id ?? null, -32603, why));
    }
  }

  #refuse(id: Id | null, code: number, message: string): void {
    this.#stats.request();
    this.#refuseMessage(errorResponse(id, code, message));
  }

  #refuseMessage(refusal: unknown, batch?: OpenBatch): void {
    this.#stats.error();
    if (batch === undefined) this.#writer.write(refusal);
    else batch.answer(refusal);
  }
}

interface Taking {
  batch?: OpenBatch;
  /** The length of a message outside a batch. */
  length?: number;
}

function stopping(id: Id, message: string) {
  return errorResponse(id, STOPPING_CODE, message);
}

function errorResponse<I extends Id | null>(id: I, code: number, message: string) {
  return { jsonrpc: "2.0" as const, id, error: { code, message } };
}
