import { assert, assertEquals } from "@std/assert";
import { Findings } from "../../../../src/engine/search/findings.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";
import { Scanner, type ScanSource } from "../../../../src/engine/search/scan/scan.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";

/** Patterns that make backtracking engines run for ages, and which of the lines below they match. */
const PATTERNS: [pattern: string, matches: string[]][] = [
  ["(a+)+$", []],
  ["(x+x+)+y", []],
  ["(a|aa)+$", []],
  ["(?:a?){500}a{500}b", ["ab"]],
  ["[ab]*a[ab]{20}c", []],
  ["(.*)*x(.*)*y(.*)*z", []],
  ["(?i)(\\w+\\s?)*!$", ["aabab!", "word !"]],
];

/** A file of one line, generated as it is read: no disk, no memory. */
class Line implements ScanSource {
  readonly #unit: Uint8Array;
  readonly #length: number;
  readonly #last: number;
  /** The most that was read without a step in between. */
  most = 0;
  #since = 0;

  constructor(unit: string, { length, last }: { length: number; last: string }) {
    this.#unit = new TextEncoder().encode(unit.repeat(Math.ceil(70_000 / unit.length)));
    this.#length = length;
    this.#last = last.charCodeAt(0);
  }

  readAt(buffer: Uint8Array, position: number): number {
    const count = Math.min(buffer.length, this.#length - position);
    for (let done = 0; done < count;) {
      const from = (position + done) % this.#unit.length;
      const part = this.#unit.subarray(from, Math.min(from + count - done, this.#unit.length));
      buffer.set(part, done);
      done += part.length;
    }
    if (count > 0 && position + count === this.#length) buffer[count - 1] = this.#last;
    this.#since += count;
    this.most = Math.max(this.most, this.#since);
    return count;
  }

  stepped(): void {
    this.#since = 0;
  }
}

/** A time limit that records when others had a turn; it is up after a number of steps. */
class Steps extends SearchTime {
  readonly #line: Line;
  #left: number;

  constructor(line: Line, steps: number) {
    super({});
    this.#line = line;
    this.#left = steps;
  }

  override async step(): Promise<boolean> {
    this.#line.stepped();
    return this.#left-- > 0 && await super.step();
  }

  /** Whether it was up before the end. */
  override get isUp(): boolean {
    return this.#left < 0;
  }
}

const LINES: [unit: string, last: string][] = [["a", "b"], ["x", "x"], ["ab", "b"], ["aabab", "!"], [
  "word ",
  "!",
]];

for (const [pattern, expected] of PATTERNS) {
  const matches = new Set(expected);
  Deno.test(`${pattern} does not block the scanner, however long the line`, async () => {
    for (const [unit, last] of LINES) {
      for (const length of [100_000, 3_000_000]) {
        const line = new Line(unit, { length, last });
        const findings = new Findings(10);
        const time = new Steps(line, 20);
        const scanner = new Scanner({ matcher: compilePattern(pattern), findings, time, contextLines: 0 });
        await scanner.scan(line, "f");
        assert(line.most <= 2 * 256 * 1024, `${line.most} bytes of ${unit} without a turn for others`);
        if (!time.isUp) assertEquals(findings.matches.length, Number(matches.has(unit + last)), unit);
      }
    }
  });
}

Deno.test("the scanner finishes 30 MB in one line if the pattern allows, and otherwise stops in time", async () => {
  for (const [pattern, unit] of [["(a+)+$", "a"], ["(x+x+)+y", "x"], ["(?:a?){500}a{500}b", "a"]] as const) {
    const line = new Line(unit, { length: 30_000_000, last: "b" });
    const findings = new Findings(10);
    const scanner = new Scanner({
      matcher: compilePattern(pattern),
      findings,
      time: new Steps(line, 1_000),
      contextLines: 0,
    });
    await scanner.scan(line, "f");
    assertEquals(findings.matches.length, pattern.endsWith("b") ? 1 : 0, pattern);
  }
});
