import { assertEquals } from "@std/assert";
import { sizeAndLimit } from "../../src/text/human_size.ts";

Deno.test("sizeAndLimit returns bytes if the rounded figures are the same, and readable ones otherwise", () => {
  const cases: [size: number, limit: number, expected: string][] = [
    [22, 10, "size: 22B, limit: 10B"],
    [5_452_595, 1_048_576, "size: 5.2MB, limit: 1MB"],
    [1_048_577, 1_048_576, "size: 1048577B, limit: 1048576B"],
    [1_100_000, 1_048_576, "size: 1100000B, limit: 1048576B"],
    [1_200_000, 1_048_576, "size: 1.1MB, limit: 1MB"],
    [3_000_000_000, 500, "size: 2.8GB, limit: 500B"],
  ];
  for (const [size, limit, expected] of cases) assertEquals(sizeAndLimit(size, limit), expected);
});
