import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ConfinedFile } from "../../../../src/confine/confined_fs.ts";
import { Findings, type GrepMatch } from "../../../../src/engine/search/findings.ts";
import { makeKernel } from "../../../../src/engine/search/bytes/kernel.ts";
import { compilePattern, grep } from "../../../../src/engine/search/mod.ts";
import { Scanner } from "../../../../src/engine/search/scan/scan.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { engineFolder } from "../../../support/engine.ts";

Deno.test("grep returns the lines before and after a match, as many as there are", async () => {
  using folder = engineFolder();
  folder.write("f", "1\n2\nx3\n4\nx5\r\n6\n7\nx8");
  const { matches } = await grep(folder.at(""), { pattern: "x", contextLines: 2 });
  assertEquals(
    matches.map((m) => [m.context_before, m.line_content, m.context_after]),
    [
      [["1", "2"], "x3", ["4", "x5"]],
      [["x3", "4"], "x5", ["6", "7"]],
      [["6", "7"], "x8", []],
    ],
  );
});

Deno.test("grep returns the context of the last requested match, and none from another file", async () => {
  using folder = engineFolder();
  folder.write("a", "0\nx1\nx2\n3\n4\n");
  folder.write("b", "x\n");
  const result = await grep(folder.at(""), { pattern: "x", contextLines: 2, maxResults: 1 });
  assertEquals(result.matches.map((m) => [m.context_before, m.context_after]), [[["0"], ["x2", "3"]]]);
  assertEquals(result.truncated, true);
  const all = await grep(folder.at(""), { pattern: "x", contextLines: 3 });
  assertEquals(all.matches.at(-1)?.context_before, []);
});

Deno.test("grep cuts lines at 2,000 characters, and says so", async () => {
  using folder = engineFolder();
  const long = (char: string, length: number) => char.repeat(length);
  folder.write(
    "f",
    [long("a", 2000), long("b", 2001), long("😀", 2000), long("é", 2001), "short"].join("\n"),
  );
  const { matches } = await grep(folder.at(""), { pattern: "^(a|b|😀|é|short)" });
  assertEquals(matches.map((m) => [[...m.line_content].length, m.cut]), [
    [2000, undefined],
    [2000, true],
    [2000, undefined],
    [2000, true],
    [5, undefined],
  ]);
  const near = await grep(folder.at(""), { pattern: "short", contextLines: 1 });
  assertEquals(near.matches.map((m) => [[...m.context_before[0] ?? ""].length, m.cut]), [[2000, true]]);
});

/** The literal definition: the whole file at once. */
function expectedMatches(content: string, pattern: RegExp, context: number): GrepMatch[] {
  const raw = content.split("\n");
  if (raw.at(-1) === "") raw.pop();
  const lines = raw.map((line, i) =>
    i < raw.length - 1 || content.endsWith("\n") ? line.replace(/\r$/, "") : line
  );
  const seen = pattern.source.includes("r") ? raw : lines; // a pattern that names the \r of CRLF gets it
  const cut = (line: string) => line.slice(0, 2000);
  return lines.flatMap((line, i) => {
    const at = pattern.exec(seen[i] ?? "")?.index;
    if (at === undefined) return [];
    // It is certain at the character after it, or where the line ends.
    const isInFront = (pattern.source.endsWith("$") ? line.length : Math.min(at + 1, line.length)) <= 2000;
    const from = isInFront ? 0 : Math.min(Math.max(0, at - 500), line.length - 2000);
    const near = lines.slice(Math.max(0, i - context), i + context + 1);
    return [{
      file: "f",
      line_number: i + 1,
      line_content: cut(line.slice(from)),
      context_before: lines.slice(Math.max(0, i - context), i).map(cut),
      context_after: lines.slice(i + 1, i + 1 + context).map(cut),
      ...(near.some((l) => l.length > 2000) ? { cut: true as const } : {}),
      ...(line.length > 2000 ? { column: at + 1, shown_from: from + 1 } : {}),
    }];
  });
}

const SMALLEST_BUFFER = 8004;

Deno.test("Scanner finds the same lines with the same context wherever its buffer ends", async () => {
  using folder = engineFolder();
  const line = fc.tuple(
    fc.constantFrom(0, 0, 1, 5, 2000, 2001, 4000, 7990, 8003, 8004, 8005, 9000, 16_008, 20_000),
    fc.constantFrom("", "x", "xy", "y"),
    fc.constantFrom("\n", "\r\n", "\r\r\n", "\r", "\r\n"),
  ).map(([length, tail, ending]) => "a".repeat(length) + tail + ending);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom("", "tail", "x", "\r"),
      fc.nat(3),
      async (lines, tail, contextLines) => {
        const content = lines.join("") + tail;
        folder.write("f", content);
        for (const pattern of [/x$/, /^x?y?$/, /[^a]$/, /\r/]) {
          const { source } = pattern;
          const findings = new Findings(Infinity);
          const scanner = new Scanner({
            matcher: compilePattern(source),
            findings,
            time: new SearchTime({}),
            contextLines,
            kernel: makeKernel(SMALLEST_BUFFER),
          });
          using file = await ConfinedFile.open(folder.at("f"));
          assertEquals(await scanner.scan(file, "f"), true);
          const expected = expectedMatches(content, pattern, contextLines);
          const numbers = (matches: readonly GrepMatch[]) => matches.map((match) => match.line_number);
          // The exact form of a long line whose \r matches is not checked further.
          if (source === "\\r") assertEquals(numbers(findings.matches), numbers(expected));
          else assertEquals(findings.matches, expected);
        }
      },
    ),
    {
      numRuns: 150,
      // The end of the buffer divides its \r\n; a \r is the end of its last line.
      examples: [
        [[`${"a".repeat(4000)}y\r`, `${"a".repeat(4000)}x\r\n`], "", 0],
        [["a".repeat(9000)], "\r", 0],
      ],
    },
  );
});

Deno.test("grep matches at the end of a line of 3 MB, and shows the part around it with its column", async () => {
  using folder = engineFolder();
  folder.write("f", `first\n${"a".repeat(3_000_000)}needle\r\nlast\n`);
  const { matches } = await grep(folder.at(""), { pattern: "aneedle$", contextLines: 1 });
  assertEquals(matches, [{
    file: "f",
    line_number: 2,
    line_content: `${"a".repeat(1994)}needle`,
    context_before: ["first"],
    context_after: ["last"],
    cut: true,
    column: 3_000_000,
    shown_from: 2_998_007,
  }]);
});

Deno.test("grep finds a code point that spans two pieces of a very long line", async () => {
  using folder = engineFolder();
  for (const offset of [0, 1, 2]) {
    folder.write(`${offset}`, `${"a".repeat(256 * 1024 - offset)}日b${"a".repeat(300_000)}`);
  }
  const { matches } = await grep(folder.at(""), { pattern: "a日ba" });
  assertEquals(matches.map((m) => m.file), ["0", "1", "2"]);
});

Deno.test("Findings stop at the memory limit, context included", async () => {
  using folder = engineFolder();
  folder.write("f", "xxxxxxxxxx\n".repeat(10_000));
  for (const contextLines of [0, 5]) {
    const findings = new Findings(Infinity, 50_000);
    const scanner = new Scanner({
      matcher: compilePattern("x"),
      findings,
      time: new SearchTime({}),
      contextLines,
    });
    using file = await ConfinedFile.open(folder.at("f"));
    await scanner.scan(file, "f");
    assert(findings.isFull && findings.isOverflowing);
    const size = JSON.stringify(findings.matches).length;
    assert(size > 25_000 && size < 80_000, `${size} characters with ${contextLines} lines of context`);
  }
});

const PARTS: [what: string, line: string, pattern: string, column: number, from: number][] = [
  ["in front", `needle${"a".repeat(5_000)}`, "needle", 1, 1],
  ["far behind", `${"a".repeat(10_000)}needle${"a".repeat(10_000)}`, "needle", 10_001, 9_501],
  ["near the end", `${"a".repeat(10_000)}needle${"a".repeat(100)}`, "needle", 10_001, 8_107],
  [
    "after characters of three bytes",
    `${"€".repeat(5_000)}needle${"€".repeat(5_000)}`,
    "needle",
    15_001,
    13_501,
  ],
  ["twice, of which the first counts", `${"a".repeat(3_000)}x${"a".repeat(3_000)}x`, "x", 3_001, 2_501],
  [
    "with a longer one that begins before",
    `${"a".repeat(3_000)}bcd${"a".repeat(3_000)}`,
    "bcda|c",
    3_001,
    2_501,
  ],
  ["over more than is shown", `${"a".repeat(3_000)}<${"b".repeat(9_000)}>`, "<.*>", 3_001, 2_501],
  [
    "in a line that does not fit the buffer",
    `${"a".repeat(300_000)}needle${"a".repeat(300_000)}`,
    "needle",
    300_001,
    299_501,
  ],
  [
    "across the end of the buffer",
    `${"a".repeat(256 * 1024 - 3)}needle${"a".repeat(3_000)}`,
    "needle",
    262_142,
    261_642,
  ],
  ["in front of a line that does not fit the buffer", `needle${"a".repeat(600_000)}`, "needle", 1, 1],
];

for (const [what, line, pattern, column, from] of PARTS) {
  Deno.test(`grep shows the part of a long line around a match that is ${what}`, async () => {
    using folder = engineFolder();
    folder.write("f", `first\n${line}\nlast\n`);
    const { matches: [match] } = await grep(folder.at(""), { pattern });
    const bytes = new TextEncoder().encode(line);
    assertEquals([match?.column, match?.shown_from, match?.cut], [column, from, true]);
    const shown = new TextEncoder().encode(match?.line_content);
    assertEquals(shown, bytes.slice(from - 1, from - 1 + shown.length));
    assertEquals([...match?.line_content ?? ""].length, 2000);
  });
}
