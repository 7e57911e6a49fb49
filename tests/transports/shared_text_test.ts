import { assertEquals } from "@std/assert";
import { withSharedText } from "../../src/transports/shared_text.ts";

const LONG = "“a”\n\t\\\u0001é\ud83d\ude00\ud800 ".repeat(2_000);

function answer(text: string, content: unknown, more: Record<string, unknown> = {}) {
  return {
    result: {
      content: [{ type: "text", text }, { type: "text", text: "a note" }],
      structuredContent: { content, size: 7, ...more },
    },
    jsonrpc: "2.0",
    id: "a-1",
  };
}

Deno.test("withSharedText gives the bytes of JSON.stringify for a long text that is there twice", () => {
  for (const end of ["", "\n"]) {
    const given = answer(LONG, LONG, { path: "a/b" });
    assertEquals(withSharedText(given, end), new TextEncoder().encode(JSON.stringify(given) + end));
  }
});

Deno.test("withSharedText keeps the order of members, wherever the text is among them", () => {
  const given = {
    jsonrpc: "2.0",
    id: 1,
    result: { structuredContent: { a: 1, content: LONG, b: 2 }, content: [{ text: LONG, type: "text" }] },
  };
  assertEquals(
    new TextDecoder().decode(withSharedText(given)),
    JSON.stringify(given).replaceAll("\ud800", "\ufffd"),
  );
});

Deno.test("withSharedText leaves everything else to the caller", () => {
  const others: unknown[] = [
    answer("short", "short"),
    answer(LONG, LONG + "x"),
    answer(LONG, undefined),
    { jsonrpc: "2.0", id: 1, error: { code: -32000, message: LONG } },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", method: "notifications/progress" },
    [answer(LONG, LONG)],
    null,
    undefined,
  ];
  for (const other of others) assertEquals(withSharedText(other), undefined);
});
