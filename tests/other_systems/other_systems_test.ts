import { assertEquals } from "@std/assert";
import { mirrorOf } from "./debian.ts";
import { failuresIn } from "./failures.ts";
import { whyWine } from "./known_of_wine.ts";

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

Deno.test("failuresIn reads each failure with what was said of it, and whyWine which are wine's", () => {
  const found = failuresIn(PRINTED.replaceAll("\n", "\r\n"));
  assertEquals(found.map(({ name }) => name), ["one", "two (and more)"]);
  assertEquals(found.map(({ name, text }) => whyWine(name, text) !== undefined), [true, false]);
  assertEquals(failuresIn("ok | 1 passed | 0 failed"), []);
});
