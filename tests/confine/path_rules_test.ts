import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import {
  contains,
  foldedName,
  isGitName,
  isTempName,
  namesFolder,
  OUTSIDE,
  outside,
  type PathStyle,
  quote,
  segmentsOf,
  tempName,
} from "../../src/confine/path_rules.ts";

/** A path as given, and its segments; null if it must be refused. */
type Case = [given: string, segments: string[] | null];

const BOTH: Case[] = [
  ["", []],
  [".", []],
  ["/", []],
  ["./", []],
  ["./.", []],
  ["a", ["a"]],
  ["a/", ["a"]],
  ["a//b", ["a", "b"]],
  ["./a/./b/.", ["a", "b"]],
  ["a/..", []],
  ["a/../b", ["b"]],
  ["a/b/../../c", ["c"]],
  ["no/such/../../a", ["a"]],
  ["...a", ["...a"]],
  ["..a/b..c", ["..a", "b..c"]],
  ["~", ["~"]],
  ["~/x", ["~", "x"]],
  ["$HOME/x", ["$HOME", "x"]],
  ["-rf", ["-rf"]],
  ["%2e%2e%2fpasswd", ["%2e%2e%2fpasswd"]],
  ["%2e%2e/x", ["%2e%2e", "x"]],
  ["\uff0e\uff0e/x", ["\uff0e\uff0e", "x"]], // full-width dots are not dots
  ["..\u2215..\u2215x", ["..\u2215..\u2215x"]], // and a division slash is not a slash
  ["\u202e/x", ["\u202e", "x"]],
  ["..", null],
  ["../", null],
  ["../a", null],
  ["./..", null],
  ["./../a", null],
  ["a/../..", null],
  ["a/../../b", null],
  ["a/../../a", null], // leaving and coming back is leaving
  ["a/./../../b", null],
  ["no/../../x", null],
  ["a//../..", null],
  ["../..", null],
  ["..//", null],
  ["//", null],
  ["/.", null],
  ["/a", null],
  ["//a", null],
  ["//server/share", null],
  ["/..", null],
  ["/etc/passwd", null],
  ["\0", null],
  ["a\0", null],
  ["a\0/../b", null],
  ["a/\0b", null],
];

const POSIX: Case[] = [
  ["a\\b", ["a\\b"]],
  ["..\\x", ["..\\x"]],
  ["C:\\x", ["C:\\x"]],
  ["C:x", ["C:x"]],
  ["\\\\server\\share", ["\\\\server\\share"]],
  ["a:b", ["a:b"]],
  ["CON", ["CON"]],
  ["a.", ["a."]],
  ["a ", ["a "]],
  ["...", ["..."]],
  [".. ", [".. "]],
  ["a\nb", ["a\nb"]],
];

const WINDOWS: Case[] = [
  ["a\\b", ["a", "b"]],
  ["a\\..\\b", ["b"]],
  ["a/b\\c", ["a", "b", "c"]],
  ["console", ["console"]],
  ["com10", ["com10"]],
  ["COMX", ["COMX"]],
  ["nully.txt", ["nully.txt"]],
  ["a.con", ["a.con"]],
  [".con", [".con"]],
  ["..\\a", null],
  ["a\\..\\..\\b", null],
  ["a/..\\..", null],
  ["\\", null],
  ["\\a", null],
  ["\\\\server\\share\\x", null],
  ["\\\\?\\C:\\x", null],
  ["\\\\.\\pipe\\x", null],
  ["\\??\\C:\\x", null],
  ["C:", null],
  ["C:x", null],
  ["C:\\x", null],
  ["c:/x", null],
  ["a/C:/x", null],
  ["a/C:..\\..\\x", null],
  ["a:stream", null],
  ["a::$DATA", null],
  [".git::$INDEX_ALLOCATION", null],
  ["a.", null],
  ["a ", null],
  ["a. .", null],
  ["a./b", null],
  ["...", null],
  [".. ", null],
  [".. .", null],
  [".. /x", null],
  ...["con", "CON", "prn", "aux", "nul", "NUL", "conin$", "CONOUT$", "com0", "COM1", "com9", "lpt1", "LPT9"]
    .flatMap((name): Case[] => [[name, null], [`a/${name}`, null], [`${name}.txt`, null], [
      `${name}/x`,
      null,
    ]]),
  ["com\u00b9", null],
  ["LPT\u00b3.log", null],
  ["con .txt", null], // a device before Windows 11
  ["nul.tar.gz", null],
  ["nul ", null],
];

const TABLES: [PathStyle, Case[]][] = [["posix", [...BOTH, ...POSIX]], ["windows", [...BOTH, ...WINDOWS]]];

for (const [style, cases] of TABLES) {
  Deno.test("segmentsOf refuses half of a surrogate pair, and accepts a whole one", () => {
    for (const given of ["\ud800", "a/\udc00b", "\udc00\ud800"]) {
      const error = assertThrows(() => segmentsOf(given), PaddockError, "path contains a lone surrogate");
      assertEquals(error.code, "INVALID_INPUT");
    }
    assertEquals(segmentsOf("\ud83d\ude00/a"), ["\ud83d\ude00", "a"]);
  });

  Deno.test(`segmentsOf splits a path or refuses it when the style is ${style}`, () => {
    for (const [given, segments] of cases) {
      if (segments !== null) {
        assertEquals(segmentsOf(given, style), segments, JSON.stringify(given));
        continue;
      }
      let error: unknown;
      try {
        segmentsOf(given, style);
      } catch (thrown) {
        error = thrown;
      }
      assert(error instanceof PaddockError, `${JSON.stringify(given)} was not refused`);
      assertEquals(error.code, "OUT_OF_BOUNDS", given);
      assert(error.message.includes(JSON.stringify(given)), error.message);
    }
  });
}

Deno.test("segmentsOf returns only names, never a way up, whatever the path", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b c", "...", "\\", "C:", "\0", "é", "~");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom("posix", "windows"), (parts, style) => {
      let segments: string[];
      try {
        segments = segmentsOf(parts.join("/"), style as PathStyle);
      } catch (error) {
        return error instanceof PaddockError && error.code === "OUT_OF_BOUNDS";
      }
      return segments.every((name) => name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name));
    }),
  );
});

const CONTAINS: [folder: string, path: string, inside: boolean][] = [
  ["/a/b", "/a/b", true],
  ["/a/b", "/a/b/c", true],
  ["/a/b", "/a/b/c/d", true],
  ["/a/b", "/a/b_evil", false],
  ["/a/b", "/a/b_evil/c", false],
  ["/a/b", "/a/b.", false],
  ["/a/b", "/a/b c", false],
  ["/a/b", "/a", false],
  ["/a/b", "/", false],
  ["/a/b", "/a/B", false],
  ["/a/b", "/a/c", false],
  ["/a/b", "/x/a/b", false],
  ["/", "/", true],
  ["/", "/a", true],
];

for (const [folder, path, inside] of CONTAINS) {
  Deno.test(`contains returns ${inside} for the folder ${folder} and the path ${path}`, () => {
    assertEquals(contains(folder, path, "/"), inside);
    const windows = (text: string) => `C:${text.replaceAll("/", "\\")}`;
    assertEquals(contains(windows(folder), windows(path), "\\"), inside);
  });
}

/** Where ext4 folds letter case, it ignores everything that Unicode lists as ignorable; here are some. */
const IGNORED_BY_EXT4 =
  "\u00ad\u034f\u061c\u115f\u17b4\u180b\u180e\u200b\u2060\u2064\u2065\u3164\ufe00\ufe0f\uffa0\ufff0\u{1bca0}" +
  "\u{1d173}\u{e0001}\u{e0100}";

Deno.test("isGitName recognises .git under every name that a file system treats as the same", () => {
  const yes = [
    ...[".git", ".GIT", ".Git", ".gIt", "git~1", "GIT~1", "Git~1"],
    ...[".git.", ".git..", ".git ", ".git . .", "git~1.", "GIT~1 "],
    ...[".git::$INDEX_ALLOCATION", ".git:x", ".git:", ".GIT::$INDEX_ALLOCATION", "git~1:x", ".git .:x"],
    ...[..."\u200c\u200d\u200e\u200f\u202a\u202e\u206a\u206f\ufeff", ...IGNORED_BY_EXT4].flatMap(
      (
        ignored,
      ) => [`${ignored}.git`, `.${ignored}git`, `.gi${ignored}t`, `.git${ignored}`, `.GIT${ignored}.`],
    ),
  ];
  for (const name of yes) assertEquals(isGitName(name), true, JSON.stringify(name));
});

Deno.test("isGitName and foldedName handle a name of a million dots quickly", () => {
  const long = `${". ".repeat(500_000)}x`;
  assertEquals([isGitName(long), isGitName(`.git${". ".repeat(500_000)}`), foldedName(long)], [
    false,
    true,
    long,
  ]);
});

Deno.test("isGitName leaves other names alone", () => {
  const no = [
    ...["git", "_git", "..git", ".git1", ".gitignore", ".gitattributes", ".gitmodules", ".github", "a.git"],
    ...["git~2", "git~10", ".gi t", " .git", "", ".", "..", ":.git", ".g\u0131t", ".g\u0456t"],
  ];
  for (const name of no) assertEquals(isGitName(name), false, JSON.stringify(name));
});

Deno.test("isTempName recognises the names that tempName makes, in any letter case, and no others", () => {
  const names = new Set(Array.from({ length: 1_000 }, tempName));
  assertEquals(names.size, 1_000);
  for (const name of names) assert(isTempName(name) && isTempName(name.toUpperCase()), name);
  assertNotEquals(tempName(), tempName());
  for (const name of [".paddock-1.tmp", ".paddock-zz9.tmp", ".PADDOCK-a.TMP"]) assert(isTempName(name), name);
  const others = [
    ...[
      "paddock-a.tmp",
      ".paddock-.tmp",
      ".paddock-a.tmp2",
      ".paddock-a b.tmp",
      "x.paddock-a.tmp",
      ".paddock",
    ],
    ...[".paddock-a.tmp/x", ".paddock-a.tmp\n", "\n.paddock-a.tmp", ".paddock-\u00e9.tmp", ""],
  ];
  for (const name of others) assertEquals(isTempName(name), false, JSON.stringify(name));
});

Deno.test("quote shows a path on one line and cuts a long one", () => {
  assertEquals(quote('a"b\n\u001b'), '"a\\"b\\n\\u001b"');
  assert(quote("x".repeat(10_000)).length < 210);
});

Deno.test("outside names the client's path in the message, and the real one only for the log", () => {
  const error = assertThrows(() => {
    throw outside("link/x", "a hint", "/host/x");
  }, PaddockError);
  assertEquals(error.message, `${OUTSIDE}: "link/x"; a hint`);
  assertEquals([error.data, error.audit?.resolved_path], [undefined, "/host/x"]);
});

Deno.test("namesFolder recognises by its end a path that means a folder", () => {
  for (const given of ["", "/", "a/", "a//", "a/.", "a/..", ".", ".."]) {
    assertEquals(namesFolder(given, "posix"), true);
  }
  for (const given of ["a", "a/b", ".a", "a/...", "a\\", "a/b."]) {
    assertEquals(namesFolder(given, "posix"), false);
  }
  assertEquals([namesFolder("a\\", "windows"), namesFolder("a\\b", "windows")], [true, false]);
});

for (const name of ["a?b", "a<b", "a>b", 'a"b', "a|b", "a*b", "a\tb", "a\nb", "a\x1fb"]) {
  Deno.test(`segmentsOf refuses ${JSON.stringify(name)}, which no name on Windows can contain`, () => {
    const error = assertThrows(
      () => segmentsOf(`d/${name}`, "windows"),
      PaddockError,
      "names on Windows cannot contain",
    );
    assertEquals([error.code, segmentsOf(`d/${name}`, "posix")], ["INVALID_INPUT", ["d", name]]);
  });
}
