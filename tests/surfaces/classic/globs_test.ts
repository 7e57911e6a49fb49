import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { compileClassicGlob } from "../../../src/surfaces/classic/globs.ts";
import { PaddockError } from "../../../src/base/errors.ts";
import { minimatch } from "../../packages/minimatch.ts";

const NAMES = ["a", "b", ".c", "x.ts", "ab", "a.ts", "1", "c", "[", "{a}", "a b"];
const PATHS = NAMES.flatMap((one) => [
  one,
  ...NAMES.map((two) => `${one}/${two}`),
  ...["a", "x.ts", ".c"].map((three) => `${one}/b/${three}`),
]);

/** What users write, in any order. */
const PARTS = [
  "a",
  "b",
  ".c",
  "*",
  "**",
  "?",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-c]",
  "{a,b}",
  "{1..3}",
  "{a}",
  "{a,{b,c}}",
]
  .concat("/", "/", "**/", "/**", "*.ts", "x.ts", ".", "./", "[", "]", "{,a}", "{a,b/c}");

async function agrees(pattern: string): Promise<void> {
  const matches = await compileClassicGlob(pattern);
  assertEquals(
    PATHS.filter(matches),
    PATHS.filter((path) => minimatch(path, pattern, { dot: true })),
    pattern,
  );
}

const PATTERNS = [
  "*",
  "**",
  "*.ts",
  "**/*.ts",
  "a/**",
  "**/a",
  "**/a/**",
  "a/*/x.ts",
  "{a,b}/**",
  "!a",
  "!!a",
  "!*.ts",
]
  .concat(
    "#a",
    "",
    "/a",
    "a/",
    "//a",
    "a//b",
    "./a",
    "././a",
    "[",
    "[a",
    "\\[",
    "\\{a\\}",
    "{a}",
    "{a,b",
    "{b..a}",
  )
  .concat("a b", "?", "??", "{01..03}", "{1..3}/a", "**/**", "a/**/**", "**/.*", "a**", "***", "a/./b");

for (const pattern of PATTERNS) {
  Deno.test(`compileClassicGlob matches what minimatch does: ${JSON.stringify(pattern)}`, () =>
    agrees(pattern));
}

Deno.test("compileClassicGlob matches what minimatch does, whatever the combination", async () => {
  const pattern = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 }).map((parts) =>
    parts.join("")
  );
  await fc.assert(fc.asyncProperty(pattern, agrees), { numRuns: 200, examples: [["{a}/{1..3}"]] });
});

Deno.test("compileClassicGlob refuses endless patterns at once, and reads long ones in linear time", async () => {
  const refused = ["{".repeat(5_000_000), `{a}${",a".repeat(5_000_000)}`, "{1..1}".repeat(2_700)];
  for (const pattern of refused) {
    await assertRejects(() => compileClassicGlob(pattern), PaddockError, "Invalid pattern");
  }
  const matches = await compileClassicGlob(`{a}${",a".repeat(8_000)}`);
  assertEquals(matches("a"), false);
});

for (const pattern of ["+(a|b)", "a@(b)", "x/!(a)", "[[:alpha:]]", "{1..1001}", "{a,b}".repeat(10)]) {
  Deno.test(`compileClassicGlob refuses what it does not support: ${pattern}`, async () => {
    await assertRejects(() => compileClassicGlob(pattern), PaddockError, "Invalid pattern");
  });
}
