/**
 * What the methods about tools and resources do, whatever carries the messages: the SDK's server (mcp.ts), or
 * the plain lane (plain_lane.ts), which works without it.
 */
import { shown } from "../base/shown.ts";
import type { Access, RpcError, ToolCall, ToolListing, ToolResult } from "../tools/tool.ts";
import type { Member } from "./notices.ts";
import { progressReports, type Tell } from "./progress.ts";
import { locatedBy, RESOURCE_METHODS, SUBSCRIBE, subscribed, UNSUBSCRIBE } from "./resource_methods.ts";
import type { Scheduler } from "./scheduler.ts";

/** What a server needs from the registry, which may still be loading. */
export interface Tools {
  list(): ToolListing[] | Promise<ToolListing[]>;
  accessOf(name: string): Access | undefined | Promise<Access | undefined>;
  call(name: string, args: unknown, call: ToolCall): Promise<ToolResult | undefined>;
}

/** Operations that are methods of their own: their results are objects, their errors have a JSON-RPC code. */
export interface BareMethods {
  readonly methods: readonly string[];
  readonly tools: Tools;
}

export interface MethodsOptions {
  /** Keeps the order of calls on a connection that has one; without it calls run as they arrive. */
  scheduler?: Scheduler | undefined;
  /** Methods in addition to MCP's own. */
  bare?: BareMethods | undefined;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
}

export interface Asked {
  method: string;
  params?: unknown;
}

/** A request as it reaches a method: what stops it, and who made it. */
export interface Caller
  extends Pick<ToolCall, "signal" | "requestId" | "client" | "session" | "clientRoots"> {
  /** Reports its progress, if the client has asked for that. */
  readonly tell?: Tell | undefined;
  /** Who gets notifications of subscriptions, where requests make them. */
  readonly member?: Member | undefined;
}

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** A request to be answered with an error. */
export class MethodError extends Error {
  override readonly name = "MethodError";
  readonly error: RpcError;
  /** Whether its code is part of the surface's own contract, whatever the protocol means by it. */
  readonly isOwn: boolean;

  constructor(error: RpcError, { isOwn = false }: { isOwn?: boolean } = {}) {
    super(error.message);
    this.error = error;
    this.isOwn = isOwn;
  }
}

export class Methods {
  readonly #tools: Tools;
  readonly #options: MethodsOptions;

  constructor(tools: Tools, options: MethodsOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  has(method: string): boolean {
    return method === "tools/call" || method === "tools/list" || this.isAboutResources(method) ||
      this.#options.bare?.methods.includes(method) === true;
  }

  isAboutResources(method: string): boolean {
    return this.#options.resources !== undefined && RESOURCE_METHODS.includes(method);
  }

  /** Throws a MethodError when the answer is an error. */
  async answer({ method, params }: Asked, caller: Caller): Promise<Record<string, unknown>> {
    const { bare, resources } = this.#options;
    if (method === "tools/call") return { ...await this.#callTool(params, caller) };
    if (method === "tools/list") return { tools: await this.#tools.list() };
    const { _meta, ...args } = (params ?? {}) as { _meta?: unknown };
    if (resources !== undefined && RESOURCE_METHODS.includes(method)) {
      return await this.#callResources(resources, { method, args, caller });
    }
    if (bare?.methods.includes(method)) return await this.#callBare(bare.tools, { method, args, caller });
    throw notFound(method);
  }

  async #callTool(params: unknown, caller: Caller): Promise<ToolResult> {
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
    if (typeof name !== "string") {
      throw new MethodError({
        code: INVALID_PARAMS,
        message: "tools/call needs the tool's name as a string",
      });
    }
    const result = await this.#call(this.#tools, { name, args, caller });
    if (result === undefined) {
      const known = (await this.#tools.list()).map((tool) => tool.name).join(", ");
      const message = `Unknown tool: ${shown(name.slice(0, 100))}; known: ${known}`;
      throw new MethodError({ code: INVALID_PARAMS, message });
    }
    if (result.rpcError !== undefined) throw new MethodError(result.rpcError, { isOwn: true });
    return result;
  }

  async #callResources(resources: Tools, { method, args, caller }: Call): Promise<Record<string, unknown>> {
    const { member } = caller;
    const { uri: asked } = args as { uri?: unknown };
    const uri = typeof asked === "string" ? asked : ""; // what is wrong with another, the schema says
    if ((method === SUBSCRIBE || method === UNSUBSCRIBE) && member === undefined) throw notFound(method);
    if (method === UNSUBSCRIBE) {
      member?.unsubscribe(uri);
      return {};
    }
    const result = await this.#call(resources, { name: method, args, caller });
    const { rpcError, places } = method === SUBSCRIBE ? locatedBy(result) : { rpcError: result?.rpcError };
    const refused = rpcError ?? (places && member && subscribed(member, uri, places));
    if (refused !== undefined) throw new MethodError(refused, { isOwn: true });
    return method === SUBSCRIBE ? {} : result?.structuredContent ?? {};
  }

  async #callBare(tools: Tools, { method, args, caller }: Call): Promise<Record<string, unknown>> {
    const result = await this.#call(tools, { name: method, args, caller });
    if (result?.rpcError === undefined) return result?.structuredContent ?? {};
    throw new MethodError(result.rpcError);
  }

  async #call(tools: Tools, { name, args, caller }: { name: string; args: unknown; caller: Caller }) {
    const access = await tools.accessOf(name);
    const { tell, member: _, ...who } = caller;
    const reports = tell && progressReports(tell);
    const call = async () => {
      try {
        return await tools.call(
          name,
          args,
          reports === undefined ? who : { ...who, progress: reports.progress },
        );
      } finally {
        reports?.end();
      }
    };
    const { scheduler } = this.#options;
    if (scheduler === undefined) return await call();
    return await scheduler.run(access === "write" ? "write" : "read", call, who.signal);
  }
}

interface Call {
  method: string;
  args: unknown;
  caller: Caller;
}

function notFound(method: string): MethodError {
  return new MethodError({ code: METHOD_NOT_FOUND, message: `Method not found: ${shown(method)}` });
}
