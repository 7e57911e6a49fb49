/**
 * Errors that keep their codes on the way out. The SDK sends -32002 as -32602, because it takes it for the
 * old code of a missing resource; a tool whose contract has that code means something else. And it treats bad
 * parameters of its own methods as an internal error, with zod's issues as the text.
 */
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import type { RpcError } from "../tools/tool.ts";

/** The errors of one server, which is not connected yet. */
export class WireErrors {
  /** Keyed by an error's data, the only part of it that the SDK passes to the transport unchanged. */
  readonly #codes = new WeakMap<object, number>();

  constructor(server: Server) {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(this.#restored(message), options);
      await connect(transport);
    };
  }

  /** What to throw for a request to be answered with this error. */
  of({ code, message, data = {} }: RpcError): ProtocolError {
    this.#codes.set(data, code);
    return new ProtocolError(code, message, data);
  }

  #restored(message: JSONRPCMessage): JSONRPCMessage {
    if (!("error" in message)) return message;
    const { error } = message;
    const invalid = error.code === ProtocolErrorCode.InternalError ? issuesOf(error.message) : undefined;
    if (invalid !== undefined) {
      return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: invalid } };
    }
    const code = typeof error.data === "object" && error.data !== null && this.#codes.get(error.data);
    return typeof code === "number" ? { ...message, error: { ...error, code } } : message;
  }
}

/** A text for a list of zod's issues; undefined for any other message. */
function issuesOf(message: string): string | undefined {
  if (!message.startsWith("[")) return undefined;
  let issues: unknown;
  try {
    issues = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (!Array.isArray(issues) || !issues.every(isIssue)) return undefined;
  return `Invalid params: ${
    issues.slice(0, 10).map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")
  }`;
}

function isIssue(value: unknown): value is { path: (string | number)[]; message: string } {
  const { path, message } = (value ?? {}) as { path?: unknown; message?: unknown };
  return Array.isArray(path) && typeof message === "string";
}
