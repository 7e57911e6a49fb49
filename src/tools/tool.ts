/**
 * What a tool is: a name, a text for the model, what it takes and gives, whether it changes anything, and what
 * it does. Hints, allowlists, schemas, logs and docs follow from this definition.
 */
import { z } from "zod";
import { type PaddockError } from "../base/errors.ts";

/** `meta` tools tell about the server and are always allowed; `read` tools change nothing; `write` tools do. */
export type Access = "meta" | "read" | "write";

export interface ToolOutput<V> {
  value: V;
  /** What the model reads; the value as JSON unless given. */
  text?: string;
  /** What the model sees or hears beside it. */
  media?: readonly MediaContent[];
  /** What is not plain about the text, in one line: a text of its own behind it. */
  note?: string;
  /** All there is to see, in the place of a text. */
  content?: readonly ContentBlock[];
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject, C> {
  readonly name: string;
  readonly title: string;
  /** What a model pays for with every request: as short as it can be. */
  readonly description: string;
  /** The same at length, with an example: for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  /** Whether what can be seen and read is all there is: no structured content, no output schema. */
  readonly contentOnly?: boolean;
  /** What a model reads of the value with --text=compact, in steps if that may be much; a line a field, unless given. */
  compact?(value: z.input<O>, args: z.output<I>): string | Generator<void, string>;
  /** Whether a second call with the same arguments changes nothing that the first has not. */
  readonly idempotent?: true;
  /** Whether it sees to the record of its changes itself. */
  readonly recordsItself?: true;
  /** Whether it is about recorded changes, and means nothing where there are none. */
  readonly needsUndo?: true;
  /** How many milliseconds a call may take, where that is not for --timeout to say. */
  timeLimit?(args: z.output<I>): number;
  /** What a failed call is answered with, where that is a JSON-RPC error and not a result. */
  rpcError?(error: PaddockError, given: unknown): RpcError;
  run(args: z.output<I>, context: C): Promise<ToolOutput<z.input<O>>> | ToolOutput<z.input<O>>;
}

export interface Tool<C> {
  readonly name: string;
  readonly title: string;
  /** What a model pays for with every request: as short as it can be. */
  readonly description: string;
  /** The same at length, with an example: for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly idempotent?: true;
  readonly recordsItself?: true;
  readonly needsUndo?: true;
  /** What clients are told of it beside its schemas, in the place of what follows from `access`. */
  readonly hints?: ToolListing["annotations"];
  /** Whether it answers with text alone: no structured content, no output schema. */
  readonly textOnly?: boolean;
  /** Checks the arguments, where the words of its errors are fixed; they are checked by `input` otherwise. */
  check?(given: unknown): Record<string, unknown>;
  compact?(value: Record<string, unknown>, args: Record<string, unknown>): string | Generator<void, string>;
  timeLimit?(args: Record<string, unknown>): number;
  rpcError?(error: PaddockError, given: unknown): RpcError;
  run(args: Record<string, unknown>, context: C): Promise<ToolOutput<Record<string, unknown>>>;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject, C>(
  spec: ToolSpec<I, O, C>,
): Tool<C> {
  const { timeLimit, compact, ...rest } = spec;
  return {
    ...rest,
    ...(rest.contentOnly ? { textOnly: true } : {}),
    ...(compact === undefined
      ? {}
      : { compact: (value, args) => compact.call(spec, value as z.input<O>, args as z.output<I>) }),
    ...(timeLimit === undefined ? {} : { timeLimit: (args) => timeLimit(args as z.output<I>) }),
    run: async (args, context) => {
      const { value, text, media, note, content } = await spec.run(args as z.output<I>, context);
      return {
        value,
        ...(content === undefined ? {} : { content }),
        ...(text === undefined ? {} : { text }),
        ...(media === undefined ? {} : { media }),
        ...(note === undefined ? {} : { note }),
      };
    },
  };
}

export interface TextToolSpec<I extends z.ZodObject, A extends object, C> {
  readonly name: string;
  readonly title: string;
  /** What a model pays for with every request: as short as it can be. */
  readonly description: string;
  /** The same at length, with an example: for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  /** As listed for clients. */
  readonly input: I;
  /** What checks the arguments, in words of its own. */
  check(given: unknown): A;
  run(args: A, context: C): Promise<{ text: string }> | { text: string };
}

/** A tool that answers with text alone. */
export function defineTextTool<I extends z.ZodObject, A extends object, C>(
  spec: TextToolSpec<I, A, C>,
): Tool<C> {
  return {
    ...spec,
    output: z.object({}),
    textOnly: true,
    check: (given) => spec.check(given) as Record<string, unknown>,
    run: async (args, context) => ({ value: {}, text: (await spec.run(args as A, context)).text }),
  };
}

/** A call as it reaches a tool: what stops it, and who asked. */
export interface ToolCall {
  readonly signal: AbortSignal;
  readonly requestId: string | number | undefined;
  /** The name the client gave itself. */
  readonly client: string | undefined;
  /** Which connection it came by; left out where every call is by itself. */
  readonly session?: string | undefined;
  /** The URIs of the folders that the client works in, where it tells and the surface wants to know. */
  readonly clientRoots?: readonly string[] | undefined;
  /** Tells the client how far the call has come, as often as one likes; left out where nobody wants to know. */
  progress?(done: Progress): void;
  /** Lifts the time limit, for good: the call is about to change something, and is to see it through. */
  begin?(): void;
  /**
   * Asks for room for so many bytes of an answer, before it is made: undefined when there is some, or else what to
   * wait for. Left out where answers are not counted.
   */
  room?(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
  /** Tells the log of a refusal that does not fail the whole call. */
  refused?(failure: PaddockError): void;
  /** Tells the log what happened beside the call itself. */
  tell?(event: string, fields: Record<string, unknown>): void;
  /** Takes what the fence has decided about a path, for the log; left out where nobody wants to know. */
  explain?(decision: Record<string, unknown>): void;
}

export interface Progress {
  /** Grows with the work done, in whatever unit. */
  progress: number;
  /** What it grows to, if that is known. */
  total?: number;
  /** For people. */
  message?: string;
}

export interface TextContent {
  type: "text";
  text: string;
}

/** An error as JSON-RPC has it. */
export interface RpcError {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

export interface MediaContent {
  type: "image" | "audio";
  /** As base64. */
  data: string;
  mimeType: string;
}

/** A file as it is, whatever it is. */
export interface ResourceContent {
  type: "resource";
  resource: {
    uri: string;
    mimeType: string;
    /** As base64. */
    blob: string;
  };
}

export type ContentBlock = TextContent | MediaContent | ResourceContent;

/** The answer to a call, as MCP has it. */
export interface ToolResult {
  /** A text first; a tool that has none to tell gives all of it itself. */
  content: [TextContent, ...ContentBlock[]];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  /** The call is to be answered with this error, and not with a result at all. */
  rpcError?: RpcError;
  /** Nothing was begun: other tools, which are on their way, can serve the call. */
  isReopening?: boolean;
}

/** A tool as it is listed, in MCP's form. */
export interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations: {
    title?: string;
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
}
