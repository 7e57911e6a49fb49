/**
 * What a tool is: a name, a text for the model, what it takes and gives, whether it changes anything, and what
 * it does. Hints, allowlists, schemas, logs and docs follow from this definition.
 */
import { type z } from "zod";

/** `meta` tools tell about the server and are always allowed; `read` tools change nothing; `write` tools do. */
export type Access = "meta" | "read" | "write";

export interface ToolOutput<V> {
  value: V;
  /** What the model reads; the value as JSON unless given. */
  text?: string;
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject, C> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  run(args: z.output<I>, context: C): Promise<ToolOutput<z.input<O>>> | ToolOutput<z.input<O>>;
}

export interface Tool<C> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(args: Record<string, unknown>, context: C): Promise<ToolOutput<Record<string, unknown>>>;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject, C>(
  spec: ToolSpec<I, O, C>,
): Tool<C> {
  return {
    ...spec,
    run: async (args, context) => {
      const { value, text } = await spec.run(args as z.output<I>, context);
      return text === undefined ? { value } : { value, text };
    },
  };
}

/** A call as it reaches a tool: what stops it, and who asked. */
export interface ToolCall {
  readonly signal: AbortSignal;
  readonly requestId: string | number | undefined;
  /** The name the client gave itself. */
  readonly client: string | undefined;
}

export interface TextContent {
  type: "text";
  text: string;
}

/** The answer to a call, as MCP has it. */
export interface ToolResult {
  content: TextContent[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A tool as it is listed, in MCP's form. */
export interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    openWorldHint: boolean;
  };
}
