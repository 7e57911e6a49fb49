/**
 * Answers a client's first message (`initialize`, or `server/discover` of 2026-07-28) before the SDK is
 * loaded. Loading the SDK takes longer than everything else before the first answer, and a client does
 * nothing until it has that; so the usual messages are answered here, word for word as the SDK would, and the
 * SDK is loaded in the meantime. It gets the same message later and has to agree. Anything that is not
 * plainly correct is left to it, mistakes above all.
 */
import { SERVER_INFO } from "./server_info.ts";

/** What a server says about itself when a client connects. */
export interface Introduction {
  readonly instructions: string;
  /** Whether its files are resources too. */
  readonly hasResources: boolean;
}

export function capabilitiesOf({ hasResources }: Pick<Introduction, "hasResources">) {
  if (!hasResources) return { tools: {} }; // the flat surface, whose tools never change
  return { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, completions: {} };
}

/** The revisions with an `initialize`; a test keeps them equal to the SDK's. */
export const GREETED_REVISIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The revision of the SDK's modern era, whose clients begin with `server/discover` instead. */
export const DISCOVERED_REVISION = "2026-07-28";

export interface Greeting {
  result: Record<string, unknown>;
  jsonrpc: "2.0";
  id: string | number;
}

/** Whether it answers an `initialize`, so the client uses a revision that has one. */
export function isInitialized({ result }: Greeting): boolean {
  return Object.hasOwn(result, "protocolVersion");
}

/** Far more than a client says about itself; it limits the depth too. */
const MAX_LENGTH = 4_096;

const META = "io.modelcontextprotocol/";

const CLIENT_INFO = ["name", "version", "title", "websiteUrl", "description"];

/** Undefined when the SDK must answer the line. */
export function greet(line: string, introduction: Introduction): Greeting | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || !isId(id) || !isObject(params)) return undefined;
  const result = method === "initialize"
    ? initialized(params, introduction)
    : method === "server/discover"
    ? discovered(params, introduction)
    : undefined;
  return result === undefined ? undefined : { result, jsonrpc, id };
}

type Fields = Record<string, unknown>;

function initialized(params: Fields, introduction: Introduction): Fields | undefined {
  const { protocolVersion, capabilities, clientInfo, ...others } = params;
  if (typeof protocolVersion !== "string" || !GREETED_REVISIONS.includes(protocolVersion)) return undefined;
  if (!isEmpty(others) || !isCapabilities(capabilities) || !isClientInfo(clientInfo)) return undefined;
  const { instructions } = introduction;
  return {
    protocolVersion,
    capabilities: capabilitiesOf(introduction),
    serverInfo: SERVER_INFO,
    instructions,
  };
}

function discovered(params: Fields, introduction: Introduction): Fields | undefined {
  const { _meta: envelope, ...others } = params;
  if (!isObject(envelope) || !isEmpty(others)) return undefined;
  const {
    [`${META}protocolVersion`]: protocolVersion,
    [`${META}clientCapabilities`]: capabilities,
    [`${META}clientInfo`]: clientInfo,
    ...more
  } = envelope;
  if (protocolVersion !== DISCOVERED_REVISION || !isEmpty(more) || !isCapabilities(capabilities)) {
    return undefined;
  }
  if (clientInfo !== undefined && !isClientInfo(clientInfo)) return undefined;
  return {
    supportedVersions: [DISCOVERED_REVISION],
    capabilities: capabilitiesOf(introduction),
    instructions: introduction.instructions,
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [`${META}serverInfo`]: SERVER_INFO },
  };
}

function isCapabilities(value: unknown): boolean {
  return isObject(value) && Object.entries(value).every(isCapability);
}

function isClientInfo(value: unknown): boolean {
  return isObject(value) && hasOnly(value, CLIENT_INFO) && "name" in value && "version" in value &&
    Object.values(value).every((field) => typeof field === "string");
}

function isCapability([name, value]: [string, unknown]): boolean {
  if (!isObject(value)) return false;
  switch (name) {
    case "roots":
      return hasOnly(value, ["listChanged"]) &&
        Object.values(value).every((field) => typeof field === "boolean");
    case "sampling":
    case "elicitation":
    case "tasks":
      return isTree(value);
    case "experimental":
    case "extensions":
      return Object.values(value).every((field) => isObject(field) && isJson(field));
    default:
      return false;
  }
}

/** Objects all the way down: `{ "form": {}, "url": {} }`. */
function isTree(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isTree);
}

/** 1e999 is parsed as Infinity, which the SDK does not accept as a number. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isJson);
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: Fields, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function isEmpty(value: Fields): boolean {
  return Object.keys(value).length === 0;
}
