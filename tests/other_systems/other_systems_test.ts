import { assertEquals } from "@std/assert";
import { mirrorOf } from "./debian.ts";
import { failuresIn } from "./failures.ts";
import { judge } from "./known_of_wine.ts";

Deno.test("mirrorOf finds where Debian's packages come from, in both forms of a list", () => {
  const other = "deb https://packages.example.com/apt cloud main\n";
  const deb822 = "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\n";
  assertEquals(mirrorOf(other + deb822), "http://mirror.example/debian");
  assertEquals(
    mirrorOf(`${other}deb [signed-by=/k] http://mirror/debian/ trixie main`),
    "http://mirror/debian/",
  );
  assertEquals(mirrorOf(other), undefined);
});

const PRINTED = `one ... FAILED (1ms)

 ERRORS 

one => ./tests/a_test.ts:3:6
error: Error: needs symbolic links
    at x
two (and more) => ./tests/b_test.ts:9:6
error: AssertionError: Values are not equal.

 FAILURES 

one => ./tests/a_test.ts:3:6
two (and more) => ./tests/b_test.ts:9:6

FAILED | 1 passed | 2 failed (7ms)
`;

Deno.test("failuresIn reads each failure with its text, and judge says which are wine's and which do not fail", () => {
  const found = failuresIn(PRINTED.replaceAll("\n", "\r\n"));
  assertEquals(found.map(({ file, name }) => [file, name]), [
    ["tests/a_test.ts", "one"],
    ["tests/b_test.ts", "two (and more)"],
  ]);
  const known = [{ why: "no links", says: /symbolic/, tests: { "tests/a_test.ts": ["one", "three"] } }];
  const { wines, ours, passed } = judge(found, ["tests/a_test.ts", "tests/b_test.ts"], known);
  assertEquals(wines.map(({ failure, why }) => [failure.name, why]), [["one", "no links"]]);
  assertEquals([ours.map(({ name }) => name), passed], [["two (and more)"], ["tests/a_test.ts: three"]]);
  assertEquals(failuresIn("ok | 1 passed | 0 failed"), []);
});
