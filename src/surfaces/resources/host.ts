/**
 * The resource methods, hosted like tools: a registry checks their parameters, limits their time and memory, counts
 * and logs them. Their results are objects, and their errors those of JSON-RPC.
 */
import type { ErrorCode, PaddockError } from "../../base/errors.ts";
import type { LogFields } from "../../base/log.ts";
import type { ToolHost } from "../../tools/registry.ts";
import type { Tool, ToolCall, ToolResult } from "../../tools/tool.ts";
import { complete } from "./complete.ts";
import { listResources } from "./list.ts";
import type { ResourcePlaces } from "../resource_places.ts";
import { readResource } from "./read.ts";
import { subscribeResource } from "./subscribe.ts";
import { listTemplates } from "./templates.ts";

const METHODS: readonly Tool<ResourcePlaces>[] = [
  listResources,
  listTemplates,
  readResource,
  subscribeResource,
  complete,
];

/** Unless it is the code for bad parameters. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND: -32002,
  PERMISSION_DENIED: -32001,
  CONFLICT: -32001,
  TIMEOUT: -32001,
  INTERNAL: -32603,
};

const LONGEST_LOGGED = 1_000;

export class ResourceHost implements ToolHost<ResourcePlaces> {
  readonly tools = METHODS;
  readonly #placesFor: (call: ToolCall) => ResourcePlaces;

  constructor(placesFor: (call: ToolCall) => ResourcePlaces) {
    this.#placesFor = placesFor;
  }

  /** The places themselves decide who may read what. */
  gate(): void {}

  contextFor(_tool: Tool<ResourcePlaces>, call: ToolCall): ResourcePlaces {
    return this.#placesFor(call);
  }

  renderError({ code, message, data }: PaddockError, given: unknown): ToolResult {
    const { uri } = this.logFields(given);
    const rpcError = {
      code: RPC_CODES[code] ?? -32602,
      message,
      data: { ...(typeof uri === "string" && { uri }), ...data },
    };
    return { content: [{ type: "text", text: message }], isError: true, rpcError };
  }

  logFields(given: unknown): LogFields {
    const { uri } = (given ?? {}) as { uri?: unknown };
    return typeof uri === "string" ? { uri: uri.slice(0, LONGEST_LOGGED) } : {};
  }
}
