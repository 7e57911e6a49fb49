// A server over HTTP with keep-alive connections, in plain HTTP/1.1: `fetch` would take more time than what is
// measured. It owns the server's process, which ends when this is disposed of.

import type { Launch, ToolCall } from "./stdio_client.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One connection; one request at a time. */
class Connection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #head: string;
  #buffer = new Uint8Array(64 * 1024);

  constructor(connection: Deno.TcpConn, head: string) {
    this.#connection = connection;
    this.#head = head;
    connection.setNoDelay();
  }

  /** Posts a body and returns the answer's head and body. */
  async post(body: string): Promise<{ head: string; body: string }> {
    const bytes = encoder.encode(
      `${this.#head}Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`,
    );
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
    let filled = 0;
    for (;;) {
      if (filled === this.#buffer.length) this.#grow();
      const read = await this.#connection.read(this.#buffer.subarray(filled));
      if (read === null) throw new Error("the server has closed the connection");
      filled += read;
      const text = decoder.decode(this.#buffer.subarray(0, filled));
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) continue;
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? NaN);
      if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`);
      if (filled >= encoder.encode(head).length + 4 + length) return { head, body: text.slice(end + 4) };
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #grow(): void {
    const larger = new Uint8Array(this.#buffer.length * 2);
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

export class HttpClient implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #connections: Connection[];
  #nextId = 1;

  private constructor(process: Deno.ChildProcess, connections: Connection[]) {
    this.#process = process;
    this.#connections = connections;
  }

  /** Starts a server that listens on the port, and opens `connections` connections to it, in one session. */
  static async start(launch: Launch, options: { port: number; connections: number }): Promise<HttpClient> {
    const { port, connections } = options;
    const process = new Deno.Command(launch.command, {
      args: [...launch.args],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    process.stderr.pipeTo(new WritableStream()).catch(() => {}); // drained, as a supervisor would
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      "Accept: application/json, text/event-stream\r\n";
    const open = async (more: string) =>
      new Connection(await Deno.connect({ hostname: "127.0.0.1", port }), head + more);
    await answering(port);
    using first = await open("");
    const clientInfo = { name: "bench", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const opened = await first.post(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }));
    const session = /^(mcp-session-id: .*)$/im.exec(opened.head)?.[1];
    const more = session === undefined ? "" : `${session}\r\n`;
    return new HttpClient(process, await Promise.all(Array.from({ length: connections }, () => open(more))));
  }

  /** Calls a tool `times` times, over `atOnce` connections at once; returns the last answer's text. */
  async call(call: ToolCall, options: { times: number; atOnce: number }): Promise<string> {
    let left = options.times;
    let text = "";
    await Promise.all(
      this.#connections.slice(0, options.atOnce).map(async (connection) => {
        while (left-- > 0) {
          const id = this.#nextId++;
          const message = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: call });
          const answer = JSON.parse((await connection.post(message)).body);
          if (answer.id !== id || answer.result.isError) {
            throw new Error(`a wrong answer: ${JSON.stringify(answer)}`);
          }
          text = answer.result.content[0].text;
        }
      }),
    );
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection[Symbol.dispose]();
    this.#process.kill("SIGTERM");
    await this.#process.status;
  }
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/health`);
      await response.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`nobody answers on port ${port}`);
}
