/** Sections 3.1, 3.3.3 and 6.3: the operations as plain HTTP, their schemas and their status codes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { VERSION } from "../../../src/base/version.ts";
import { post } from "../../support/http_client.ts";
import { eventually } from "../../support/http_server.ts";
import { CONTRACT, essence } from "./contract.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1"] });
const JSON_TYPE = "application/json; charset=utf-8";
const MIB = 1024 * 1024;

interface Sent {
  method?: string;
  type?: string | null;
  body?: BodyInit;
}

/** Sends what no well-behaved client would, and returns status, headers and the error. */
async function send(path: string, { method = "POST", type = JSON_TYPE, body }: Sent = {}) {
  const response = await fetch(`${flat().http.url}${path}`, {
    method,
    headers: type === null ? {} : { "content-type": type },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    error: text === "" ? {} : JSON.parse(text).error,
  };
}

Deno.test("3.1 /openapi.json describes the three operations as OpenAPI 3.1", async () => {
  const response = await fetch(`${flat().http.url}/openapi.json`);
  assertEquals([response.status, response.headers.get("content-type")], [200, JSON_TYPE]);
  const { openapi, info, paths, ...rest } = await response.json();
  assertMatch(openapi, /^3\.1\.\d+$/);
  assertEquals(info, { title: "paddock", version: VERSION });
  assertEquals(Object.keys(rest), []);
  assertEquals(Object.keys(paths).sort(), ["/edit_file", "/list_files", "/read_file"]);
  for (const [path, item] of Object.entries<Record<string, Record<string, unknown>>>(paths)) {
    assertEquals(Object.keys(item), ["post"], path);
    const { operationId, requestBody, responses } = item.post as {
      operationId: string;
      requestBody: { required: boolean; content: Record<string, unknown> };
      responses: Record<string, { description: string; content: Record<string, unknown> }>;
    };
    assertEquals(`/${operationId}`, path);
    assertEquals([requestBody.required, Object.keys(requestBody.content)], [true, ["application/json"]]);
    assertEquals(Object.keys(responses), ["200", "default"]);
    for (const { description, content } of Object.values(responses)) {
      assert(description !== "");
      assertEquals(Object.keys(content), ["application/json"]);
    }
  }
});

Deno.test("3.1 the schemas are those of the specification", async () => {
  const { paths } = await (await fetch(`${flat().http.url}/openapi.json`)).json();
  for (const [name, { request, response }] of Object.entries(CONTRACT)) {
    const { requestBody, responses } = paths[`/${name}`].post;
    assertEquals(essence(requestBody.content["application/json"].schema), essence(request), name);
    assertEquals(essence(responses["200"].content["application/json"].schema), essence(response), name);
  }
});

Deno.test("6.3 the client of the specification's example gets what it expects", async () => {
  const { url } = flat().http;
  flat().folder.write("example.txt", Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join(""));
  const call = async (operation: string, params: unknown) => {
    const headers = { "content-type": JSON_TYPE, accept: "application/json" };
    const response = await post(`${url}/${operation}`, params, { headers });
    assertEquals([response.status, response.headers.get("content-type")], [200, JSON_TYPE]);
    return await response.json();
  };
  assertEquals((await call("list_files", {})).total_count, 1);
  assertEquals(await call("read_file", { name: "example.txt", start_line: 5, end_line: 10 }), {
    content: "line 5\nline 6\nline 7\nline 8\nline 9\nline 10",
    total_lines: 20,
    range_requested: { start_line: 5, end_line: 10 },
  });
  const edits = [{ line: 5, content: "new content", operation: "replace" }];
  assertEquals(await call("edit_file", { name: "example.txt", edits, create_if_missing: true }), {
    success: true,
    lines_modified: 1,
    file_created: false,
    new_total_lines: 20,
  });
  assertEquals(flat().folder.read("example.txt").split("\n")[4], "new content");
});

Deno.test("3.3.3 status 400: not JSON, not an object, another type", async () => {
  const cases: [sent: Sent, code: number, message: RegExp][] = [
    [{ body: "{" }, -32700, /not valid JSON/],
    [{ body: new Uint8Array([0x22, 0xff, 0x22]) }, -32700, /not valid UTF-8/],
    [{ body: "[]" }, -32602, /^arguments must be an object$/],
    [{ body: '"a"' }, -32602, /^arguments must be an object$/],
    [{ body: "{}", type: "text/plain" }, -32600, /^Content-Type must be application\/json$/],
    [{ body: "{}", type: "application/jsonp" }, -32600, /^Content-Type must be application\/json$/],
    [{ type: null }, -32600, /^Content-Type must be application\/json$/],
  ];
  for (const path of ["/list_files", "/read_file", "/edit_file"]) {
    for (const [sent, code, message] of cases) {
      const { status, error } = await send(path, sent);
      assertEquals([status, error.code], [400, code], `${path} ${JSON.stringify(sent)}`);
      assertMatch(error.message, message);
    }
  }
});

Deno.test("3.3.3 a media type is accepted with and without its charset, in any letter case", async () => {
  for (
    const type of ["application/json", "Application/JSON;charset=UTF-8", "application/json ; charset=utf-8"]
  ) {
    assertEquals((await send("/list_files", { type, body: "{}" })).status, 200, type);
  }
  assertEquals((await send("/list_files", { body: "" })).status, 200);
});

Deno.test("3.3.3 status 405: a method other than POST, with the allowed one", async () => {
  for (const path of ["/list_files", "/read_file", "/edit_file"]) {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const { status, headers, error } = await send(path, { method, type: null });
      assertEquals([status, headers.get("allow")], [405, "POST"]);
      assertMatch(error.message, /^Method not allowed/);
    }
  }
  const described = await send("/openapi.json", { body: "{}" });
  assertEquals([described.status, described.headers.get("allow")], [405, "GET"]);
});

Deno.test("3.3.3 status 413: a request over the limit, announced or not; one that just fits is accepted", async () => {
  const filled = (size: number) => {
    const [head, tail] = ['{"name":"big.txt","append":"', '"}'];
    return head + "x".repeat(size - head.length - tail.length) + tail;
  };
  const large = new TextEncoder().encode(filled(MIB + 1));
  for (const body of [large, ReadableStream.from([large.subarray(0, MIB), large.subarray(MIB)])]) {
    const { status, error } = await send("/edit_file", { body });
    assertEquals([status, error], [413, { code: -32600, message: "Request too large" }]);
  }
  const { status, error } = await send("/edit_file", { body: filled(MIB) });
  assertEquals([status, error.message], [404, "File 'big.txt' not found"]); // it was accepted and understood
});

Deno.test("3.3.3 status 404 and 500: a missing file, an unknown path, a system that refuses", async () => {
  const missing = await send("/read_file", { body: '{"name":"missing.txt"}' });
  assertEquals([missing.status, missing.error], [404, {
    code: -32001,
    message: "File 'missing.txt' not found",
  }]);
  for (const path of ["/", "/read", "/read_file/", "/read_file/x", "/constructor", "/__proto__"]) {
    assertEquals((await send(path, { body: "{}" })).status, 404, path);
  }
  if (Deno.build.os === "windows") return;
  Deno.symlinkSync("/etc/hostname", `${flat().folder.path}/outside.txt`);
  const denied = await send("/read_file", { body: '{"name":"outside.txt"}' });
  assertEquals([denied.status, denied.error], [500, {
    code: -32001,
    message: "Permission denied accessing 'outside.txt'",
  }]);
});

Deno.test("3.3.2 bad input is also described for programs", async () => {
  const { error } = await send("/read_file", { body: '{"name":"a.txt","start_line":0}' });
  const message = "Line numbers must be positive integers";
  assertEquals(error, { code: -32602, message, data: { tool: "read_file", validation_errors: [message] } });
});

Deno.test("4.2 unknown keys are refused by every operation", async () => {
  const cases: [path: string, body: string, message: string][] = [
    ["/list_files", '{"path":"/"}', 'Unknown argument "path"; there are none'],
    ["/read_file", '{"name":"a","path":"/"}', 'Unknown argument "path"; known: name, start_line, end_line'],
    [
      "/read_file",
      '{"name":"a","__proto__":{}}',
      'Unknown argument "__proto__"; known: name, start_line, end_line',
    ],
    [
      "/edit_file",
      '{"name":"a","mode":1}',
      'Unknown argument "mode"; known: name, edits, append, create_if_missing',
    ],
  ];
  for (const [path, body, message] of cases) {
    const { status, error } = await send(path, { body });
    assertEquals([status, error.code, error.message], [400, -32602, message]);
  }
});

Deno.test("the operations are counted in /metrics and guarded like every page", async () => {
  const { http } = flat();
  const counted = () => http.metric('tool_calls_total{tool="list_files",outcome="success"}');
  const before = await counted();
  await send("/list_files", { body: "{}" });
  assertEquals(await eventually(counted, (now) => now > (before || 0)) > (before || 0), true);
  const foreign = await post(`${http.url}/list_files`, {}, { headers: { origin: "https://evil.example" } });
  assertEquals(foreign.status, 403);
  await foreign.body?.cancel();
});
