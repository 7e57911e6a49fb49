// What an agent does with a server, counted: its calls, and the bytes of text in the answers that a model reads.

import type { StdioClient, ToolCall } from "../stdio_client.ts";

interface Answer {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

const encoder = new TextEncoder();

export class Agent {
  readonly #client: StdioClient;
  calls = 0;
  bytesRead = 0;

  constructor(client: StdioClient) {
    this.#client = client;
  }

  async call(name: string, args: ToolCall["arguments"]): Promise<Said> {
    this.calls++;
    const { content = [], isError = false } = await this.#answer({ name, arguments: args });
    const text = content.map((block) => block.text ?? "").join("\n");
    this.bytesRead += encoder.encode(text).length;
    return { text, isError };
  }

  /** An error of the protocol is read like any other answer. */
  async #answer(call: ToolCall): Promise<Answer> {
    try {
      return await this.#client.request("tools/call", call) as Answer;
    } catch (error) {
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  }
}

/** What a model reads about the tools before it does anything: names, descriptions and input schemas. */
export async function listBytes(client: StdioClient): Promise<number> {
  const { tools } = await client.request("tools/list") as {
    tools: { name: string; description?: string; inputSchema: unknown }[];
  };
  const told = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return told.reduce((sum, tool) => sum + encoder.encode(JSON.stringify(tool)).length, 0);
}
