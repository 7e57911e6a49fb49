/**
 * Operations as plain HTTP: `POST /name` with a JSON object, answered with a JSON object. Errors are objects too,
 * with a JSON-RPC code and a fitting status. `/openapi.json` describes them.
 */
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Stats } from "../base/stats.ts";
import { VERSION } from "../base/version.ts";
import type { BareMethods } from "../server/methods.ts";
import type { ToolListing } from "../tools/tool.ts";
import { type BodyLimits, NO_ROOM, readBody } from "./http/body.ts";
import { parseJson } from "./json.ts";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export class Rest {
  readonly #bare: BareMethods;
  readonly #body: BodyLimits;
  readonly #stats: Stats;
  #calls = 0;

  constructor(bare: BareMethods, { body, stats }: { body: BodyLimits; stats: Stats }) {
    this.#bare = bare;
    this.#body = body;
    this.#stats = stats;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Undefined for a path that is not ours. */
  async handle(request: Request, pathname: string): Promise<Response | undefined> {
    if (pathname === "/openapi.json") return await this.#openApi(request);
    const method = pathname.slice(1);
    if (!this.#bare.methods.includes(method)) return undefined;
    this.#calls++;
    try {
      return await this.#call(request, method);
    } finally {
      this.#calls--;
    }
  }

  /** The same operations as JSON-RPC methods, without a session; undefined for any other message. */
  answer(message: JSONRPCMessage, request: Pick<Request, "signal">): Promise<Response> | undefined {
    if (!("method" in message) || !("id" in message) || !this.#bare.methods.includes(message.method)) {
      return undefined;
    }
    return this.#answer(message, request);
  }

  async #answer({ id, method, params }: JSONRPCRequest, request: Pick<Request, "signal">): Promise<Response> {
    const { _meta, ...args } = params ?? {};
    const { error, value } = await this.#run(method, args, { request, id });
    this.#stats.request();
    if (error === undefined) return Response.json({ jsonrpc: "2.0", id, result: value });
    this.#stats.error();
    const { status: _, ...shown } = error;
    return Response.json({ jsonrpc: "2.0", id, error: shown });
  }

  async #run(
    method: string,
    params: unknown,
    { request, id }: { request: Pick<Request, "signal">; id?: string | number },
  ) {
    const call = { signal: request.signal, requestId: id, client: undefined };
    const result = await this.#bare.tools.call(method, params, call);
    const value = result?.structuredContent ?? {};
    return result?.isError ? { error: value as { status: number }, value } : { error: undefined, value };
  }

  async #call(request: Request, method: string): Promise<Response> {
    if (request.method !== "POST") {
      return failure(405, -32600, "Method not allowed; use POST", { allow: "POST" });
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
      return failure(400, -32600, "Content-Type must be application/json");
    }
    const body = await readBody(request, this.#body);
    if (body.kind === "too-large") return failure(413, -32600, "Request too large", { connection: "close" });
    if (body.kind === "too-slow") return failure(408, -32600, "Request timeout", { connection: "close" });
    if (body.kind === "no-room") {
      return failure(503, -32000, NO_ROOM, { "retry-after": "5", connection: "close" });
    }
    if (body.kind === "garbled") return failure(400, -32700, "Parse error: the body is not valid UTF-8");
    const parsed = body.text.trim() === "" ? { value: {} } : await parseJson(body.text, "body");
    if (!("value" in parsed)) return failure(400, parsed.code, parsed.message);
    const { error, value } = await this.#run(method, parsed.value, { request });
    if (error !== undefined) {
      const { status, ...shown } = error; // counted by its status where it is sent
      return Response.json({ error: shown }, { status, headers: JSON_TYPE });
    }
    this.#stats.request();
    return Response.json(value, { headers: JSON_TYPE });
  }

  async #openApi(request: Request): Promise<Response> {
    if (request.method !== "GET") {
      return failure(405, -32600, "Method not allowed; use GET", { allow: "GET" });
    }
    return Response.json(openApi(await this.#bare.tools.list()), { headers: JSON_TYPE });
  }
}

function failure(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers: { ...JSON_TYPE, ...headers } });
}

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
    },
  },
};

export function openApi(operations: readonly ToolListing[]) {
  const json = (schema: unknown) => ({ "application/json": { schema } });
  const paths = operations.map((operation) => {
    const responses = {
      200: { description: "Done.", content: json(operation.outputSchema) },
      default: { description: "What went wrong.", content: json(ERROR_SCHEMA) },
    };
    return [`/${operation.name}`, {
      post: {
        operationId: operation.name,
        summary: operation.title,
        description: operation.description,
        requestBody: { required: true, content: json(operation.inputSchema) },
        responses,
      },
    }];
  });
  return { openapi: "3.1.0", info: { title: "paddock", version: VERSION }, paths: Object.fromEntries(paths) };
}
