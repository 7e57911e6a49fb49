/** A server under fire: which requests are still unanswered, and what its answers and its memory show. */
import { within } from "../support/long_run.ts";
import { type Message, TestServer } from "../support/server.ts";
import { SECRET } from "./surfaces.ts";

/** A search may take its --timeout, and several may wait for each other. */
const PATIENCE_MS = 60_000;

export class Target implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #open = new Map<string, { sent: string; answer: Promise<Message> }>();
  readonly problems: string[] = [];
  messages = 0;
  peakMegabytes = 0;

  constructor(args: string[]) {
    this.#server = new TestServer([...args, "--log-level=error"]);
  }

  async start(): Promise<Message> {
    return await this.#server.initialize();
  }

  async request(method: string, params?: unknown): Promise<Message> {
    return await this.#server.request(method, params);
  }

  /** Something that need not be answered. */
  async throwAt(line: string | Uint8Array): Promise<void> {
    this.messages++;
    await this.#server.sendRaw(line);
    await this.#server.sendRaw("\n");
  }

  /** A request that must be answered. */
  async ask(method: unknown, params: unknown): Promise<void> {
    this.messages++;
    const id = `f-${crypto.randomUUID()}`;
    const message = { jsonrpc: "2.0", id, method, params };
    this.#open.set(id, { sent: JSON.stringify(message), answer: this.#server.answerTo(id) });
    await this.#server.send(message);
  }

  /** Waits for every answer that is due, and checks them. */
  async settle(): Promise<void> {
    const due = [...this.#open.values(), { sent: "ping", answer: this.#server.request("ping") }];
    this.#open.clear();
    const ended = this.#server.status.then(({ code }) => `ended with code ${code}`);
    for (const { sent, answer } of due) {
      const outcome = await within(PATIENCE_MS, Promise.race([answer, ended]));
      if (typeof outcome === "string") {
        this.problems.push(
          `${outcome === "late" ? "no answer to" : `${outcome} at`} ${shown(sent)}\n${this.#log()}`,
        );
        if (outcome !== "late") return;
      } else this.#look(outcome, sent);
    }
    this.#server.lines.length = 0; // they would fill the memory of this process
    this.peakMegabytes = Math.max(this.peakMegabytes, residentMegabytes(this.#server.pid));
  }

  async end(): Promise<void> {
    const code = await within(PATIENCE_MS, this.#server.end());
    if (code !== 0) this.problems.push(`exit code ${code}\n${this.#log()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  #look(answer: Message, sent: string): void {
    const told = JSON.stringify(answer);
    if (told.includes(SECRET)) this.problems.push(`a secret was told by ${shown(sent)}`);
    const { error, result } = answer;
    const words: unknown = error?.message ?? result?.content?.[0]?.text;
    // What the SDK answers by itself (such as initialize) has its own codes.
    const internal = error?.code === -32603 && sent.includes('"method":"tools/call"');
    if (internal || (typeof words === "string" && /^(Error: )?internal error/i.test(words))) {
      this.problems.push(`${words} at ${shown(sent)}\n${this.#log()}`);
    }
  }

  #log(): string {
    return this.#server.log.slice(-2_000);
  }
}

/** 0 if /proc does not say. */
function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function shown(sent: string): string {
  return sent.length > 600 ? `${sent.slice(0, 600)}…` : sent;
}
