/**
 * Reports every multi_edit_text_file call to an ACP adapter: two `session/update` notifications per call, as
 * JSON lines, one when it begins and one when it has ended, both written before the answer is sent. An
 * adapter reads and forwards them. If events cannot be written, that is logged, and the call continues.
 */
import type { AcpEventsConfig, SurfaceConfig } from "../base/config.ts";
import { ReopeningError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { LogSink } from "../base/stderr_sink.ts";
import type { Tools } from "../server/methods.ts";
import { MULTI_EDIT_NAME } from "../tools/multi_edit_schema.ts";
import type { ToolCall, ToolResult } from "../tools/tool.ts";
import { EventFile, type EventSink } from "./event_file.ts";

/** How long events may wait for a reader of standard error. */
const STDERR_MS = 200;

export interface AcpEventsOptions extends AcpEventsConfig {
  /** Where events go, along with the log, for the file `-`. */
  stderr: LogSink;
  log: Logger;
  /** What is served now. */
  surface: () => SurfaceConfig;
  beforeCall?: (() => void) | undefined;
}

export function withAcpEvents(tools: Tools, options: AcpEventsOptions): Tools {
  const { file, sessionId, stderr, log, surface, beforeCall } = options;
  const sink = file === "-"
    ? { write: (line: string) => stderr.write(line), flushed: () => stderr.close(STDERR_MS) }
    : new EventFile(file);
  return new AcpTools(tools, {
    sessionId,
    sink,
    log,
    beforeCall,
    locate: (args) => hostPathOf(surface(), args),
  });
}

export interface AcpOptions {
  sessionId: string;
  sink: EventSink;
  log: Logger;
  /** Throws when these tools cannot serve a call; the tools that replace them then report it. */
  beforeCall?: (() => void) | undefined;
  /** The host path of a call's file, as far as its arguments show. */
  locate: (args: Record<string, unknown>) => string | undefined;
}

/** Exported for its tests. */
export class AcpTools implements Tools {
  readonly #tools: Tools;
  readonly #options: AcpOptions;

  constructor(tools: Tools, options: AcpOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  list() {
    return this.#tools.list();
  }

  accessOf(name: string) {
    return this.#tools.accessOf(name);
  }

  async call(name: string, args: unknown, call: ToolCall): Promise<ToolResult | undefined> {
    if (name !== MULTI_EDIT_NAME || this.#isForOthers()) return await this.#tools.call(name, args, call);
    const id = crypto.randomUUID();
    await this.#report({ type: "toolCall", id, ...begun(args, this.#options.locate) });
    const result = await this.#tools.call(name, args, call);
    if (result !== undefined) await this.#report({ type: "toolCallUpdate", id, fields: ended(result) });
    return result;
  }

  #isForOthers(): boolean {
    try {
      this.#options.beforeCall?.();
      return false;
    } catch (error) {
      if (error instanceof ReopeningError) return true;
      throw error;
    }
  }

  async #report(update: Record<string, unknown>): Promise<void> {
    const { sessionId, sink, log } = this.#options;
    try {
      sink.write(JSON.stringify({ method: "session/update", params: { sessionId, update } }));
      await sink.flushed();
    } catch (error) {
      log.error("acp_events_failed", { error: error instanceof Error ? error.message : String(error) });
    }
  }
}

function begun(given: unknown, locate: AcpOptions["locate"]): Record<string, unknown> {
  const args = typeof given === "object" && given !== null ? given as Record<string, unknown> : {};
  const edits = Array.isArray(args.edits) ? args.edits.length : 0;
  const path = locate(args);
  return {
    kind: "edit",
    status: "pending",
    title: `${MULTI_EDIT_NAME} (${edits} ${edits === 1 ? "edit" : "edits"})`,
    locations: path === undefined ? [] : [{ path }],
    rawInput: given ?? {},
  };
}

function ended({ structuredContent, content, rpcError, isError }: ToolResult): Record<string, unknown> {
  if (rpcError !== undefined) {
    return {
      status: "failed",
      rawOutput: { error: rpcError },
      content: [{ type: "text", text: rpcError.message }],
    };
  }
  const diff = structuredContent?.diff;
  return {
    status: isError ? "failed" : "completed",
    rawOutput: structuredContent ?? {},
    content: typeof diff === "string" ? [{ type: "text", text: diff }] : content,
  };
}

/** By names alone, without any lookup: it tells the operator's client what was asked for. */
function hostPathOf(surface: SurfaceConfig, args: Record<string, unknown>): string | undefined {
  const { root, workspaceId, path } = args;
  if (typeof path !== "string") return undefined;
  if (surface.kind === "workspaces" && typeof workspaceId === "string") {
    return `${surface.dir}/${workspaceId}/${path}`;
  }
  const found = surface.kind === "roots" ? surface.roots.find(({ name }) => name === root) : undefined;
  return found === undefined ? path : `${found.path}/${path}`;
}
