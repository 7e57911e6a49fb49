import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { BARE_METHODS } from "../../../src/surfaces/instructions.ts";
import { FLAT_TOOLS } from "../../../src/surfaces/flat/surface.ts";
import { FLAT_OPERATIONS } from "../../../src/surfaces/flat/rest_face.ts";
import { flatSetup } from "./setup.ts";

const CALL = { signal: new AbortController().signal, requestId: 1, client: undefined };

Deno.test("the surface has exactly three tools and three operations, with the same names", () => {
  const names = ["edit_file", "list_files", "read_file"];
  assertEquals(FLAT_TOOLS.map(({ name }) => name).sort(), names);
  assertEquals(FLAT_OPERATIONS.map(({ name }) => name).sort(), names);
  assertEquals([...BARE_METHODS.flat].sort(), names);
});

Deno.test("list says what each tool does to files, and has no output schema for text", () => {
  using flat = flatSetup();
  const hints = flat.tools.list().map(({ name, annotations, outputSchema }) => [
    name,
    annotations.readOnlyHint,
    annotations.destructiveHint,
    outputSchema,
  ]);
  assertEquals(hints, [
    ["edit_file", false, false, undefined],
    ["list_files", true, false, undefined],
    ["read_file", true, false, undefined],
  ]);
});

Deno.test("the example in the docs is one that its tool accepts", async () => {
  using flat = flatSetup();
  flat.write("notes.txt", "1\n2\n3\n");
  for (const { name, details = "" } of FLAT_TOOLS) {
    const [, example = ""] = /Example: (\{.*\})/.exec(details) ?? [];
    const text = await flat.tool(name, JSON.parse(example));
    assertEquals(text.startsWith("Error"), false, `${name}: ${text}`);
  }
});

Deno.test("gate and offers allow no writing where it is read-only", () => {
  using flat = flatSetup({ readOnly: true });
  for (const tool of FLAT_TOOLS) {
    const writes = tool.name === "edit_file";
    assertEquals(flat.surface.offers(tool), !writes);
    if (!writes) flat.surface.gate(tool);
    else {
      const error = assertThrows(() => flat.surface.gate(tool), PaddockError);
      assertEquals([error.code, error.message], [
        "NOT_ALLOWED",
        "edit_file is not allowed: the server is read-only",
      ]);
    }
  }
});

Deno.test("contextFor lets a call wait for a lock a little less than its time limit, 30 s at most", () => {
  const [tool] = FLAT_TOOLS;
  if (tool === undefined) throw new Error("there are no tools");
  for (const [timeoutMs, expected] of [[1_000, 900], [30_000, 29_900], [300_000, 30_000]] as const) {
    using flat = flatSetup({ timeoutMs });
    assertEquals(flat.surface.contextFor(tool, CALL).changing.lockWaitMs, expected);
  }
});

Deno.test("reload is refused: there is no config file to read again", () => {
  using flat = flatSetup();
  assertThrows(() => flat.surface.reload({ kind: "flat", dir: "/b" }), TypeError);
});

Deno.test("renderError gives tools a text, and operations a code, status and data", () => {
  using flat = flatSetup();
  const error = new PaddockError("NOT_FOUND", "no", { data: { a: 1 }, audit: { path: "/host" } });
  assertEquals(flat.surface.renderError(error), {
    content: [{ type: "text", text: "Error: no" }],
    isError: true,
  });
  assertEquals(flat.operations.renderError(error), {
    content: [{ type: "text", text: "no" }],
    structuredContent: { code: -32001, status: 404, message: "no", data: { a: 1 } },
    rpcError: { code: -32001, message: "no", data: { a: 1 } },
    isError: true,
  });
});

Deno.test("renderError of operations distinguishes bad input, missing files, sizes, internal errors and system failures", () => {
  using flat = flatSetup();
  const cases: [code: PaddockError["code"], rpc: number, status: number][] = [
    ["INVALID_INPUT", -32602, 400],
    ["NOT_FOUND", -32001, 404],
    ["TOO_LARGE", -32001, 413],
    ["PERMISSION_DENIED", -32001, 500],
    ["OUT_OF_BOUNDS", -32001, 500],
    ["NOT_ALLOWED", -32001, 500],
    ["UNSUPPORTED", -32001, 500],
    ["CONFLICT", -32001, 500],
    ["TIMEOUT", -32001, 500],
    ["INTERNAL", -32603, 500],
  ];
  for (const [code, rpc, status] of cases) {
    const { structuredContent } = flat.operations.renderError(new PaddockError(code, "x"));
    assertEquals(structuredContent, { code: rpc, status, message: "x" });
  }
  const disk = new PaddockError("INTERNAL", "x", { cause: Object.assign(new Error(), { code: "EIO" }) });
  assertEquals(flat.operations.renderError(disk).structuredContent?.code, -32001);
});

Deno.test("logFields keeps the name, cut, and nothing else of the arguments", () => {
  using flat = flatSetup();
  const fields = (given: unknown) => flat.surface.logFields(given);
  assertEquals(fields({ name: "a.txt", append: "SECRET", edits: [{ content: "SECRET" }] }), {
    path: "a.txt",
  });
  assertEquals(fields({ name: "x".repeat(500) }), { path: "x".repeat(300) });
  for (const given of [undefined, null, "SECRET", { name: ["SECRET"] }, {}]) assertEquals(fields(given), {});
});
