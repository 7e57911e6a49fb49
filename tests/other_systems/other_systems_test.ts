import { assert, assertEquals } from "@std/assert";
import { REPOSITORY } from "../support/server.ts";
import { mirrorOf } from "./debian.ts";
import { failuresIn } from "./failures.ts";
import { judge, type Known, KNOWN_OF_WINE } from "./known_of_wine.ts";
import { testsAt } from "./tests_at.ts";

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
two (and more) ... a step => ./tests/b_test.ts:9:6
error: AssertionError: Values are not equal.

./tests/c_test.ts (uncaught error)
error: (in promise) Error: nobody waited for it

 FAILURES 

one => ./tests/a_test.ts:3:6
two (and more) ... a step => ./tests/b_test.ts:9:6
./tests/c_test.ts (uncaught error)

FAILED | 1 passed | 3 failed (7ms)
`;

Deno.test("failuresIn reads each failure with its file, its name and its message", () => {
  const found = failuresIn(PRINTED.replaceAll("\n", "\r\n"));
  assertEquals(found.map(({ file, name }) => [file, name]), [
    ["tests/a_test.ts", "one"],
    ["tests/b_test.ts", "two (and more) ... a step"],
    ["tests/c_test.ts", "uncaught error"],
  ]);
  assert(found[0]?.text.startsWith("error: Error: needs symbolic links\n"));
  assertEquals(failuresIn("ok | 1 passed | 0 failed"), []);
});

Deno.test("judge blames wine only for a listed test, by file, name and message, and reports listed ones that pass", () => {
  const known = (file: string, name: string, says?: RegExp): Known[] => [
    { why: "wine", tests: { [file]: [name] }, ...(says !== undefined && { says }) },
  ];
  const failures = failuresIn(PRINTED);
  const files = ["tests/a_test.ts", "tests/b_test.ts"];
  const told = (list: Known[], of = files) => {
    const { wines, ours, passed } = judge(failures, of, list);
    return [wines.length, ours.length, passed.length];
  };
  assertEquals(told([]), [0, 3, 0]);
  assertEquals(told(known("tests/a_test.ts", "one")), [1, 2, 0]);
  assertEquals(told(known("tests/a_test.ts", "one", /symbolic/)), [1, 2, 0]);
  assertEquals(told(known("tests/a_test.ts", "one", /other words/)), [0, 3, 0]);
  assertEquals(told(known("tests/b_test.ts", "one")), [0, 3, 1], "of another file");
  assertEquals(told(known("tests/a_test.ts", "on")), [0, 3, 1], "a part of its name");
  assertEquals(told(known("tests/c_test.ts", "one")), [0, 3, 0], "not run");
});

Deno.test("KNOWN_OF_WINE names existing tests, each once", () => {
  const seen = new Set<string>();
  for (const { tests } of KNOWN_OF_WINE) {
    for (const [file, names] of Object.entries(tests)) {
      const source = Deno.readTextFileSync(`${REPOSITORY}${file}`);
      for (const name of names) {
        assert(!seen.has(`${file}: ${name}`), name);
        seen.add(`${file}: ${name}`);
        // Names are often assembled from parts; their first words are not.
        const [first = ""] = name.split(/ (?:\.\.\.|x|\S*[\\/(]\S*) /);
        const words = first.split(" ").slice(0, 3).join(" ");
        assert(source.includes(words), `${file} has no test ${name}`);
      }
    }
  }
});

Deno.test("testsAt finds every test in a folder and below once, and a file itself", () => {
  const base = `${REPOSITORY}tests/engine`;
  const files = testsAt(base);
  assertEquals(new Set(files).size, files.length);
  assert(files.includes(`${base}/search/walk/walk_test.ts`) && files.includes(`${base}/move_test.ts`));
  assert(files.every((file) => file.endsWith("_test.ts")));
  assertEquals(testsAt("tests/run_test.ts"), ["tests/run_test.ts"]);
});
