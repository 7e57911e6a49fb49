import { assertEquals } from "@std/assert";
import { MOST_LEVELS, MOST_PARTS } from "../../src/base/json_size.ts";
import { measureJson, parseJson } from "../../src/transports/json.ts";

const MEASURED: [text: string, levels: number, parts: number][] = [
  ["", 0, 0],
  ["5", 0, 0],
  ["[]", 1, 1],
  ["[1,2,3]", 1, 3],
  ['{"a":[1,{"b":[]}],"c":2}', 4, 6],
  ['"[[[,,,"', 0, 0],
  [String.raw`["a\"[,","b\\",[]]`, 2, 4],
  [String.raw`["\\\"[",1]`, 1, 2],
  ['["[', 1, 1],
  ["]]][[", 0, 2],
  ['{"ü[":"🐎,"}', 1, 1],
];

for (const [text, levels, parts] of MEASURED) {
  Deno.test(`measureJson finds ${levels} levels and ${parts} parts in ${JSON.stringify(text)}`, async () => {
    const measured = await measureJson(text);
    assertEquals([measured.levels, measured.parts], [levels, parts]);
  });
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const list = (length: number) => `[${Array(length).fill(1)}]`;

Deno.test("parseJson accepts as many levels and elements as allowed", async () => {
  assertEquals(await parseJson(nested(MOST_LEVELS), "line"), { value: JSON.parse(nested(MOST_LEVELS)) });
  assertEquals(await parseJson(list(MOST_PARTS), "line"), { value: Array(MOST_PARTS).fill(1) });
});

Deno.test("parseJson reports how many levels and elements were found when there are too many", async () => {
  assertEquals(await parseJson(nested(1_000_000), "body"), {
    code: -32600,
    message: "Request too complex: the JSON of the body has 1000000 levels of nesting, 128 are allowed",
  });
  assertEquals(await parseJson(list(MOST_PARTS + 1), "line"), {
    code: -32600,
    message: "Request too complex: the JSON of the line has 50001 keys and elements, 50000 are allowed; " +
      "send less at once",
  });
});

Deno.test("parseJson reports that a text is not JSON when it has no more elements than allowed", async () => {
  assertEquals(await parseJson("[1,", "body"), {
    code: -32700,
    message: "Parse error: the body is not valid JSON",
  });
});

Deno.test("measureJson yields to others while it works on a long text", async () => {
  let [measured, turns] = [false, 0];
  const measuring = measureJson("[1,".repeat(100_000), 0).then(() => measured = true);
  while (!measured) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    turns++;
  }
  await measuring;
  assertEquals(turns >= 2, true);
});
