/** Vercel's AI SDK. */
import { createMCPClient } from "npm:@ai-sdk/mcp@2.0.97";
import { Experimental_StdioMCPTransport as Stdio } from "npm:@ai-sdk/mcp@2.0.97/mcp-stdio";
import type { ClientLibrary } from "../tests/clients/matrix.ts";

type Execute = (args: unknown, options: { toolCallId: string; messages: [] }) => Promise<unknown>;

export const AI_SDK: ClientLibrary = {
  name: "@ai-sdk/mcp 2.0.97",
  connect: async (target) => {
    const transport = "url" in target
      ? { type: "http" as const, url: target.url }
      : new Stdio({ ...target, stderr: "ignore" });
    const client = await createMCPClient({ transport });
    const tools = await client.tools();
    return {
      tools: () => Promise.resolve(Object.keys(tools)),
      call: async ({ tool, args }) => {
        const execute = (tools[tool] as unknown as { execute: Execute }).execute;
        return JSON.stringify(await execute(args, { toolCallId: "1", messages: [] }));
      },
      read: async (uri) => {
        const { contents } = await client.readResource({ uri });
        return String((contents[0] as { text?: string }).text);
      },
      close: () => client.close(),
    };
  },
};
