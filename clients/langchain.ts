/** LangChain's adapters, with those versions of its peers that the registry has completely. */
import "npm:@langchain/core@1.2.13";
import "npm:@langchain/langgraph@1.4.10";
import { MultiServerMCPClient } from "npm:@langchain/mcp-adapters@1.1.4";
import type { ClientLibrary } from "../tests/clients/matrix.ts";

export const LANGCHAIN: ClientLibrary = {
  name: "@langchain/mcp-adapters 1.1.4",
  connect: async (target) => {
    const paddock = "url" in target
      ? { transport: "http" as const, url: target.url }
      : { transport: "stdio" as const, ...target, stderr: "ignore" as const };
    const client = new MultiServerMCPClient({ mcpServers: { paddock } });
    const tools = await client.getTools();
    return {
      tools: () => Promise.resolve(tools.map(({ name }) => name)),
      call: async ({ tool, args }) => {
        const found = tools.find(({ name }) => name === tool);
        try {
          const answer: unknown = await found?.invoke(args);
          return typeof answer === "string" ? answer : JSON.stringify(answer);
        } catch (error) {
          return error instanceof Error ? error.message : String(error); // what its tool node passes to the model
        }
      },
      close: () => client.close(),
    };
  },
};
