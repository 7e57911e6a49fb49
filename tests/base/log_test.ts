import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  createLogger,
  LOG_LEVELS,
  type LogFields,
  type LogFormat,
  type LogLevel,
} from "../../src/base/log.ts";

import type { LogLook } from "../../src/base/log_terminal.ts";
import { anyCharacter } from "../support/any_character.ts";

const NOON = new Date("2025-11-23T12:00:00.000Z");

function linesOf(format: LogFormat, level: LogLevel = "debug") {
  const lines: string[] = [];
  const log = createLogger({ format, level, write: (line) => lines.push(line), now: () => NOON });
  return { log, lines };
}

function rendered(format: LogFormat, fields: LogFields): string {
  const { log, lines } = linesOf(format);
  log.info("event", fields);
  return lines[0] ?? "";
}

Deno.test("createLogger writes time, level, event and fields when the format is text", () => {
  const { log, lines } = linesOf("text");
  log.info("server_starting", { surface: "roots", tool_count: 3, read_only: false });
  log.warn("security_denied", { path: "../etc" });
  assertEquals(lines, [
    "2025-11-23T12:00:00.000Z INFO  server_starting surface=roots tool_count=3 read_only=false",
    "2025-11-23T12:00:00.000Z WARN  security_denied path=../etc",
  ]);
});

Deno.test("createLogger writes one object per line when the format is JSON", () => {
  const { log, lines } = linesOf("json");
  log.error("tool_error", { tool: "read_file", code: undefined, roots: ["a", "b"] });
  assertEquals(lines.map((line) => JSON.parse(line)), [{
    timestamp: "2025-11-23T12:00:00.000Z",
    level: "error",
    event: "tool_error",
    tool: "read_file",
    roots: ["a", "b"],
  }]);
});

Deno.test("createLogger leaves lines out when they are below its level", () => {
  for (const [threshold, level] of LOG_LEVELS.entries()) {
    const { log, lines } = linesOf("text", level);
    for (const each of LOG_LEVELS) log[each]("event");
    assertEquals(lines.length, LOG_LEVELS.length - threshold, level);
    for (const [index, each] of LOG_LEVELS.entries()) assertEquals(log.enabled(each), index >= threshold);
  }
});

const VALUES: [name: string, value: unknown, text: string][] = [
  ["a plain word", "src/main.ts", "src/main.ts"],
  ["an empty string", "", '""'],
  ["a space", "a b", '"a b"'],
  ["a quote", 'a"b', '"a\\"b"'],
  ["a backslash", "a\\b", '"a\\\\b"'],
  ["a line break", "a\nINFO  forged", '"a\\nINFO  forged"'],
  ["an escape sequence", "\u001b[31mred", '"\\u001b[31mred"'],
  ["DEL", "\u007f", '"\\u007f"'],
  ["a C1 control (CSI)", "\u009b31m", '"\\u009b31m"'],
  ["a line separator", "a\u2028b", '"a\\u2028b"'],
  ["a bidi override", "a\u202eb", '"a\\u202eb"'],
  ["a lone surrogate", "\ud800", '"\\ud800"'],
  ["letters beyond ASCII", "größe.txt", '"größe.txt"'],
  ["an equals sign", "a=b", "a=b"],
  ["a number", 1.5, "1.5"],
  ["null", null, "null"],
  ["a list", ["a", "b c"], '["a","b c"]'],
  ["a list with a C1 control", ["\u009b31m"], '["\\u009b31m"]'],
];

for (const [name, value, text] of VALUES) {
  Deno.test(`createLogger writes ${name} as ${text} when the format is text`, () => {
    assertEquals(rendered("text", { key: value }), `2025-11-23T12:00:00.000Z INFO  event key=${text}`);
  });
}

Deno.test("createLogger leaves a field out when it is undefined", () => {
  assertEquals(rendered("text", { a: undefined, b: 1 }), "2025-11-23T12:00:00.000Z INFO  event b=1");
});

/** Characters that end a line or control a terminal, for some reader. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u;

Deno.test("createLogger keeps every line a single line without control characters, whatever is logged", () => {
  const nasty = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        "\n",
        "\r",
        "\u001b",
        "\u007f",
        "\u0085",
        "\u009b",
        "\u2028",
        "\u202e",
        "\u061c",
        '"',
        "\\",
        " ",
      ),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(fc.property(nasty, fc.constantFrom<LogFormat>("text", "json"), (value, format) => {
    for (const key of [value, [value], { nested: value }]) {
      assert(!CONTROL.test(rendered(format, { key })), JSON.stringify(value));
      const { log, lines } = onTerminal("terminal");
      log.info("event", { tool: key, key });
      assert(!CONTROL.test(lines[0] ?? ""), JSON.stringify(value));
    }
    assertEquals(JSON.parse(rendered("json", { key: value })).key, value);
  }));
});

function onTerminal(look: LogLook, format: LogFormat = "text") {
  const lines: string[] = [];
  const noon = new Date(2025, 10, 23, 12, 0, 0);
  const log = createLogger({
    format,
    look,
    level: "debug",
    write: (line) => lines.push(line),
    now: () => noon,
  });
  return { log, lines };
}

Deno.test("createLogger writes short aligned lines when they are for a terminal", () => {
  const { log, lines } = onTerminal("terminal");
  const call = { root: "src", path: "a b", outcome: "success", response_bytes: 5, request_id: 7 };
  log.info("server_starting", { surface: "roots", roots: ["src"] });
  log.info("tool_call", { tool: "read_file", ...call, duration_ms: 1.23 });
  log.warn("security_denied", { tool: "permissions_file", path: "../\u001b[31m" });
  log.error("tool_call", { tool: "grep", ...call, code: "TIMEOUT", duration_ms: 10_000.4 });
  assertEquals(lines, [
    '12:00:00 INFO  server_starting  surface=roots roots=["src"]',
    '12:00:00 INFO  tool_call        read_file              1.2 ms root=src path="a b"',
    '12:00:00 WARN  security_denied  permissions_file     path="../\\u001b[31m"',
    '12:00:00 ERROR tool_call        grep                 10000 ms root=src path="a b" code=TIMEOUT',
  ]);
});

Deno.test("createLogger colours only the words around the values", () => {
  const { log, lines } = onTerminal("colours");
  log.warn("event", { key: "value" });
  assertEquals(lines, [
    `\u001b[2m12:00:00\u001b[0m \u001b[33mWARN \u001b[0m \u001b[1m${
      "event".padEnd(16)
    }\u001b[0m \u001b[2mkey=\u001b[0mvalue`,
  ]);
});

Deno.test("createLogger writes JSON the same for a terminal", () => {
  const { log, lines } = onTerminal("colours", "json");
  log.info("event", { request_id: 1 });
  assertEquals(JSON.parse(lines[0] ?? "").request_id, 1);
});
