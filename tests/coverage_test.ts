import { assertEquals, assertThrows } from "@std/assert";
import { CATEGORIES, judge, reachOf } from "./coverage.ts";
import { REPOSITORY } from "./support/server.ts";

const LCOV = `SF:/r/src/a.ts
FNF:1
DA:1,5
DA:2,0
DA:3,1
DA:9,0
LH:2
LF:4
end_of_record
SF:/r/src/b.ts
DA:1,1
end_of_record
`;

Deno.test("reachOf reads the lines of each file, and which of them were missed", () => {
  assertEquals([...reachOf(LCOV)], [
    ["/r/src/a.ts", { lines: 4, reached: 2, missed: [2, 9] }],
    ["/r/src/b.ts", { lines: 1, reached: 1, missed: [] }],
  ]);
});

Deno.test("judge compares all lines of a category together with its minimum", () => {
  const of = (minimum: number, files: string[]) => {
    const { lines, reached, met } = judge({ name: "x", minimum, files }, reachOf(LCOV), "/r/");
    return [reached, lines, met];
  };
  assertEquals(of(60, ["a.ts", "b.ts"]), [3, 5, true]);
  assertEquals(of(61, ["a.ts", "b.ts"]), [3, 5, false]);
  assertEquals(of(100, ["b.ts"]), [1, 1, true]);
  assertThrows(() => of(1, ["c.ts"]), Error, "nothing is known about src/c.ts");
});

Deno.test("CATEGORIES have the specification's minimums, and existing files, each once", () => {
  assertEquals(CATEGORIES.map(({ name, minimum }) => [name, minimum]), [
    ["input_validation", 100],
    ["mcp_tools", 95],
    ["concurrency", 90],
    ["mcp_protocol", 95],
  ]);
  const files = CATEGORIES.flatMap(({ files }) => files);
  assertEquals(files.length, new Set(files).size);
  assertEquals(files.filter((file) => !Deno.statSync(`${REPOSITORY}src/${file}`).isFile), []);
  const surface = [...Deno.readDirSync(`${REPOSITORY}src/surfaces/flat`)].filter(({ isFile }) => isFile);
  const counted = surface.map(({ name }) => `surfaces/flat/${name}`).filter((file) =>
    !file.endsWith("context.ts")
  );
  assertEquals(counted.filter((file) => !files.includes(file)), []);
});
