/** OpenAI's agents, with what their tools pass to the model. */
import {
  getAllMcpTools,
  MCPServerStdio,
  MCPServerStreamableHttp,
  RunContext,
} from "npm:@openai/agents@0.20.0";
import type { ClientLibrary } from "../tests/clients/matrix.ts";

interface Invokable {
  name: string;
  invoke(context: unknown, input: string): Promise<unknown>;
}

export const OPENAI_AGENTS: ClientLibrary = {
  name: "@openai/agents 0.20.0",
  connect: async (target) => {
    const server = "url" in target ? new MCPServerStreamableHttp(target) : new MCPServerStdio(target);
    await server.connect();
    const tools = await getAllMcpTools([server]) as unknown as Invokable[];
    return {
      tools: () => Promise.resolve(tools.map(({ name }) => name)),
      call: async ({ tool, args }) => {
        const found = tools.find(({ name }) => name === tool);
        const answer = await found?.invoke(new RunContext(), JSON.stringify(args));
        return typeof answer === "string" ? answer : JSON.stringify(answer);
      },
      close: () => server.close(),
    };
  },
};
