/** Requests that no good client sends, and how they are answered. */
import { MODERN, modernMessage } from "../support/http_client.ts";

export interface BadInput {
  name: string;
  status: number;
  /** What the answer says. */
  says: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** Includes the session's id. */
  session?: boolean;
  body?: () => BodyInit;
}

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const LARGE = new Uint8Array(11 * 1024 * 1024).fill(0x20);
const modern = (method: string, params = {}) => JSON.stringify(modernMessage(method, params, 1));
const text = (value: string) => () => value;

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

export const INPUTS: BadInput[] = [
  { name: "bad JSON", status: 400, says: "-32700", body: text("{") },
  { name: "an empty body", status: 400, says: "-32700", body: text("") },
  {
    name: "bytes that are not UTF-8",
    status: 400,
    says: "-32700",
    body: () => new Uint8Array([0x22, 0xff, 0x22]),
  },
  { name: "JSON that is not a message", status: 400, says: "-32600", session: true, body: text('{"a":1}') },
  {
    name: "JSON that is nested too deeply",
    status: 400,
    says: "has 100001 levels of nesting, 128 are allowed",
    session: true,
    body: () => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(100_000)}}`,
  },
  {
    name: "JSON with too many elements",
    status: 400,
    says: "has 60004 keys and elements, 50000 are allowed; send less at once",
    session: true,
    body: () => `{"jsonrpc":"2.0","id":1,"method":"ping","params":[${Array(60_000).fill(1)}]}`,
  },
  { name: "a number", status: 400, says: "-32600", session: true, body: text("5") },
  {
    name: "an id that is null",
    status: 400,
    says: "-32600",
    session: true,
    body: text(PING.replace("1", "null")),
  },
  {
    name: "a wrong type",
    status: 415,
    says: "Content-Type must be",
    headers: { "content-type": "text/plain" },
    body: text(PING),
  },
  { name: "an empty batch", status: 400, says: "-32600", session: true, body: text("[]") },
  { name: "a batch", status: 400, says: "has no batches", session: true, body: text(`[${PING}]`) },
  { name: "a batch without sessions", status: 400, says: "-32600", body: text(`[${modern("ping")}]`) },
  {
    name: "an unknown method",
    status: 200,
    says: "-32601",
    session: true,
    body: text(PING.replace("ping", "no/such")),
  },
  {
    name: "an unknown method without sessions",
    status: 404,
    says: "-32601",
    headers: { "mcp-protocol-version": MODERN, "mcp-method": "no/such" },
    body: text(modern("no/such")),
  },
  {
    name: "an unknown tool",
    status: 200,
    says: "-32602",
    session: true,
    body: text(PING.replace('"ping"', '"tools/call","params":{"name":"constructor"}')),
  },
  { name: "no session", status: 400, says: "Mcp-Session-Id header is required", body: text(PING) },
  {
    name: "an unknown session",
    status: 404,
    says: "-32001",
    headers: { "mcp-session-id": "none" },
    body: text(PING),
  },
  {
    name: "an unknown revision",
    status: 400,
    says: "unsupported protocol version",
    session: true,
    headers: { "mcp-protocol-version": "1999-01-01" },
    body: text(PING),
  },
  {
    name: "no revision header where one is required",
    status: 400,
    says: "-32020",
    body: text(modern("tools/list")),
  },
  {
    name: "headers that differ from the body",
    status: 400,
    says: "-32020",
    headers: { "mcp-protocol-version": MODERN, "mcp-method": "ping" },
    body: text(modern("tools/list")),
  },
  {
    name: "a foreign Origin",
    status: 403,
    says: "Origin is not allowed",
    headers: { origin: "http://evil.com" },
    body: text(PING),
  },
  {
    name: "a null Origin",
    status: 403,
    says: "Origin is not allowed",
    headers: { origin: "null" },
    body: text(PING),
  },
  {
    name: "a wrong token",
    status: 401,
    says: "Unauthorized",
    headers: { authorization: "Bearer wrong" },
    body: text(PING),
  },
  {
    name: "a preflight",
    status: 403,
    says: "Origin is not allowed",
    method: "OPTIONS",
    headers: { origin: "http://localhost" },
  },
  { name: "GET without a session", status: 400, says: "Mcp-Session-Id header is required", method: "GET" },
  {
    name: "DELETE without a session",
    status: 400,
    says: "Mcp-Session-Id header is required",
    method: "DELETE",
  },
  { name: "PUT", status: 405, says: "GET, POST, DELETE", method: "PUT", body: text(PING) },
  { name: "POST to a stream", status: 405, says: "allowed: GET", path: "/sse", body: text(PING) },
  { name: "GET of a message", status: 405, says: "allowed: POST", path: "/messages", method: "GET" },
  {
    name: "a message to no stream",
    status: 404,
    says: "its stream is closed",
    path: "/messages?sessionId=x",
    body: text(PING),
  },
  { name: "an unknown path", status: 404, says: "MCP is at /mcp", path: "/mcp/", body: text(PING) },
  { name: "11 MB", status: 413, says: "at most 10485760 bytes", body: () => LARGE },
  {
    name: "11 MB in chunks",
    status: 413,
    says: "at most 10485760 bytes",
    body: () => ReadableStream.from([LARGE.slice(0, 6e6), LARGE.slice(0, 6e6)]),
  },
];

/** What no HTTP library would send. */
export const RAW: [name: string, request: string, says: string][] = [
  [
    "a foreign Host",
    "POST /mcp HTTP/1.1\r\nHost: evil.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 403 ",
  ],
  ["no Host", "POST /mcp HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "HTTP/1.1 403 "],
  [
    "two Hosts",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 400 ",
  ],
  [
    "two lengths",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 400 ",
  ],
  ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "HTTP/1.1 400 "],
];

/** Requests that are cut off; the headers that every request needs are added after the first line. */
export const HALF_OPEN = [
  "GET /mcp HTTP/1.1\r\n\r\n",
  "GET /sse HTTP/1.1\r\n\r\n",
  "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\r\n",
  "POST /mcp HTTP/1.1\r\nContent-Le",
];
