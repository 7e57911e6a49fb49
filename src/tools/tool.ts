/**
 * What a tool is: a name, a description for the model, its input and output, whether it changes anything, and
 * what it does. Hints, allowlists, schemas, logs and docs follow from this definition.
 */
import * as s from "./schema/mod.ts";
import type { PaddockError } from "../base/errors.ts";

/** `meta` tools describe the server and are always allowed; `read` tools change nothing; `write` tools do. */
export type Access = "meta" | "read" | "write";

export interface ToolOutput<V> {
  value: V;
  /** What the model reads. Default: the value as JSON. */
  text?: string;
  /** What the model sees or hears in addition. */
  media?: readonly MediaContent[];
  /** A one-line remark about the text, sent as a separate text after it. */
  note?: string;
  /** The whole content, instead of a text. */
  content?: readonly ContentBlock[];
}

export interface ToolSpec<I extends s.Fielded, O extends s.Fielded, C> {
  readonly name: string;
  readonly title: string;
  /** A model pays for it with every request: as short as possible. */
  readonly description: string;
  /** A longer version with an example, for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  /** Whether the content is everything: no structured content, no output schema. */
  readonly contentOnly?: boolean;
  /** What a model reads with --text=compact, in steps if it may be long. Default: one line per field. */
  compact?(value: s.Input<O>, args: s.Output<I>): string | Generator<void, string>;
  /** Whether repeating a call with the same arguments changes nothing more. */
  readonly idempotent?: true;
  /** Whether it records its changes itself. */
  readonly recordsItself?: true;
  /** Whether it works on recorded changes, and is useless without them. */
  readonly needsUndo?: true;
  /** The time limit of a call in milliseconds, where --timeout does not apply. */
  timeLimit?(args: s.Output<I>): number;
  /** The answer to a failed call, where that is a JSON-RPC error and not a result. */
  rpcError?(error: PaddockError, given: unknown): RpcError;
  run(args: s.Output<I>, context: C): Promise<ToolOutput<s.Input<O>>> | ToolOutput<s.Input<O>>;
}

export interface Tool<C> {
  readonly name: string;
  readonly title: string;
  /** A model pays for it with every request: as short as possible. */
  readonly description: string;
  /** A longer version with an example, for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  readonly input: s.Fielded;
  readonly output: s.Fielded;
  readonly idempotent?: true;
  readonly recordsItself?: true;
  readonly needsUndo?: true;
  /** The annotations, where they do not follow from `access`. */
  readonly hints?: ToolListing["annotations"];
  /** Whether it answers with text only: no structured content, no output schema. */
  readonly textOnly?: boolean;
  /** Checks the arguments, where the wording of errors is fixed; otherwise `input` checks them. */
  check?(given: unknown): Record<string, unknown>;
  compact?(value: Record<string, unknown>, args: Record<string, unknown>): string | Generator<void, string>;
  timeLimit?(args: Record<string, unknown>): number;
  rpcError?(error: PaddockError, given: unknown): RpcError;
  run(args: Record<string, unknown>, context: C): Promise<ToolOutput<Record<string, unknown>>>;
}

export function defineTool<I extends s.Fielded, O extends s.Fielded, C>(
  spec: ToolSpec<I, O, C>,
): Tool<C> {
  const { timeLimit, compact, ...rest } = spec;
  return {
    ...rest,
    ...(rest.contentOnly ? { textOnly: true } : {}),
    ...(compact === undefined
      ? {}
      : { compact: (value, args) => compact.call(spec, value as s.Input<O>, args as s.Output<I>) }),
    ...(timeLimit === undefined ? {} : { timeLimit: (args) => timeLimit(args as s.Output<I>) }),
    run: async (args, context) => {
      const { value, text, media, note, content } = await spec.run(args as s.Output<I>, context);
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

export interface TextToolSpec<I extends s.Fielded, A extends object, C> {
  readonly name: string;
  readonly title: string;
  /** A model pays for it with every request: as short as possible. */
  readonly description: string;
  /** A longer version with an example, for people who read the docs. */
  readonly details?: string;
  readonly access: Access;
  /** The input as listed for clients. */
  readonly input: I;
  /** Checks the arguments, with its own wording. */
  check(given: unknown): A;
  run(args: A, context: C): Promise<{ text: string }> | { text: string };
}

/** A tool that answers with text only. */
export function defineTextTool<I extends s.Fielded, A extends object, C>(
  spec: TextToolSpec<I, A, C>,
): Tool<C> {
  return {
    ...spec,
    output: s.object({}),
    textOnly: true,
    check: (given) => spec.check(given) as Record<string, unknown>,
    run: async (args, context) => ({ value: {}, text: (await spec.run(args as A, context)).text }),
  };
}

/** A call as it reaches a tool: what stops it, and who made it. */
export interface ToolCall {
  readonly signal: AbortSignal;
  readonly requestId: string | number | undefined;
  /** The name the client gave itself. */
  readonly client: string | undefined;
  /** The connection it came through; absent where every call stands alone. */
  readonly session?: string | undefined;
  /** The URIs of the client's folders, if it reports them and the surface wants them. */
  readonly clientRoots?: readonly string[] | undefined;
  /** Reports progress to the client, as often as you like; absent where nobody wants it. */
  progress?(done: Progress): void;
  /** Lifts the time limit for good: the call is about to change something and must finish that. */
  begin?(): void;
  /**
   * Asks for room for this many bytes of an answer, before it is made: undefined when there is room, or else
   * what to wait for. Absent where answers are not counted.
   */
  room?(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
  /** Logs a refusal that does not fail the whole call. */
  refused?(failure: PaddockError): void;
  /** Logs what happened besides the call itself. */
  tell?(event: string, fields: Record<string, unknown>): void;
  /** Logs what the fence decided about a path; absent where nobody wants to know. */
  explain?(decision: Record<string, unknown>): void;
}

export interface Progress {
  /** Grows with the work done, in any unit. */
  progress: number;
  /** Its final value, if known. */
  total?: number;
  /** For people. */
  message?: string;
}

export interface TextContent {
  type: "text";
  text: string;
}

/** A JSON-RPC error. */
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

/** A file of any kind, unchanged. */
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

/** The answer to a call, in MCP's form. */
export interface ToolResult {
  /** Begins with a text, unless the tool supplies all of the content itself. */
  content: [TextContent, ...ContentBlock[]];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  /** The call is answered with this error instead of a result. */
  rpcError?: RpcError;
  /** Nothing was begun: new tools, which are on their way, can serve the call. */
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
