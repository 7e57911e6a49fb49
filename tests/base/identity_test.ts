import { assert, assertEquals } from "@std/assert";
import { bornFor, type Identity, identityWord, isSameFile, isSurelyOne } from "../../src/base/identity.ts";

const at = (ms: number) => new Date(ms);
/** Two neighbours that are equal as doubles. */
const [ONE, NEXT] = [Number((1n << 60n) + 1n), Number((1n << 60n) + 2n)];

const PAIRS: [what: string, one: Identity, other: Identity, same: boolean][] = [
  ["one number", { dev: 1, ino: 7 }, { dev: 1, ino: 7 }, true],
  ["one number, different birth times", { dev: 1, ino: 7, birthtime: at(1) }, { dev: 1, ino: 7 }, true],
  ["other numbers", { dev: 1, ino: 7 }, { dev: 1, ino: 8 }, false],
  ["one number on two devices", { dev: 1, ino: 7 }, { dev: 2, ino: 7 }, false],
  ["no numbers", { dev: 1, ino: null }, { dev: 1, ino: null }, false],
  ["large ones, different birth times", { dev: 1, ino: ONE, birthtime: at(1) }, {
    dev: 1,
    ino: NEXT,
    birthtime: at(2),
  }, false],
  [
    "a large one, seen twice",
    { dev: 1, ino: ONE, birthtime: at(1) },
    { dev: 1, ino: ONE, birthtime: at(1) },
    true,
  ],
  ["a large one without a birth time", { dev: 1, ino: ONE, birthtime: null }, {
    dev: 1,
    ino: ONE,
    birthtime: at(0),
  }, true],
];

for (const [what, one, other, same] of PAIRS) {
  Deno.test(`isSameFile and identityWord, ${what}: ${same ? "one file" : "two"}`, () => {
    assertEquals([isSameFile(one, other), isSameFile(other, one)], [same, same]);
    if (one.ino !== null && (one.birthtime !== undefined) === (other.birthtime !== undefined)) {
      assertEquals(identityWord(one) === identityWord(other), same);
    }
  });
}

Deno.test("isSurelyOne considers files with rounded numbers the same only if both have a second name", () => {
  assertEquals(ONE, NEXT);
  const file = (nlink: number, size: number) =>
    ({ dev: 1, ino: ONE, birthtime: at(1), mtime: at(5), isFile: true, size, nlink }) as Deno.FileInfo;
  assert(isSurelyOne(file(2, 3), file(2, 3)));
  for (const [one, other] of [[file(1, 3), file(1, 3)], [file(2, 3), file(2, 4)], [file(2, 3), undefined]]) {
    assert(!isSurelyOne(one, other));
  }
  const exact = { ...file(1, 3), ino: 7 };
  assert(isSurelyOne(exact, { ...exact, size: 9 }));
});

Deno.test("bornFor is undefined on Windows, where numbers are not reused, unless they are rounded", () => {
  const [exact, rounded] = [{ dev: 1, ino: 7, birthtime: at(5) }, { dev: 1, ino: ONE, birthtime: at(5) }];
  assertEquals([bornFor(exact, "windows"), bornFor(rounded, "windows")], [undefined, 5]);
  assertEquals([bornFor(exact, "linux"), bornFor({ dev: 1, ino: 7 }, "linux")], [5, undefined]);
});
