import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { isAbsolutePath, type Known, locateAbsolute, wayFrom } from "../../src/confine/absolute_path.ts";
import type { PathStyle } from "../../src/confine/path_rules.ts";
import { createRoots } from "../../src/confine/roots.ts";
import { onUnix } from "../support/needs.ts";

const ABSOLUTE: [style: PathStyle, path: string, expected: boolean][] = [
  ["posix", "/a", true],
  ["posix", "/", true],
  ["posix", "a/b", false],
  ["posix", "", false],
  ["posix", "~/a", false],
  ["posix", "C:\\a", false],
  ["windows", "C:\\a", true],
  ["windows", "c:/a", true],
  ["windows", "C:a", false],
  ["windows", "\\\\host\\share", true],
  ["windows", "a\\b", false],
];

Deno.test("isAbsolutePath recognises the forms of both systems", () => {
  for (const [style, path, expected] of ABSOLUTE) {
    assertEquals(isAbsolutePath(path, style), expected, `${style} ${path}`);
  }
});

const ROOTS = [
  ...createRoots([
    { name: "a", path: "/srv/a", git: "open" },
    { name: "inner", path: "/srv/a/inner", git: "open" },
  ]).values(),
];

const LOCATED: [path: string, name: string, relative: string][] = [
  ["/srv/a/x.txt", "a", "x.txt"],
  ["/srv/a", "a", ""],
  ["/srv/a/", "a", ""],
  ["//srv//a/./b/../x", "a", "x"],
  ["/srv/b/../a/x", "a", "x"],
  ["/srv/a/inner", "inner", ""],
  ["/srv/a/inner/x/y", "inner", "x/y"],
  ["/srv/a/inner_evil/x", "a", "inner_evil/x"],
];

const OUTSIDE = [
  "/",
  "/srv",
  "/srv/a_evil/x",
  "/srv/a/../x",
  "/etc/passwd",
  "/SRV/A/x",
  "/srv/a/x\0",
  "srv/a/x",
];

Deno.test({
  ...onUnix("locateAbsolute finds the innermost root by names, and the path from there"),
  fn: () => {
    for (const [path, name, relative] of LOCATED) {
      assertEquals(locateAbsolute(path, ROOTS), { name, relative }, path);
    }
    const whole = [...createRoots([{ name: "root", path: "/", git: "open" }]).values()];
    assertEquals(locateAbsolute("/etc/../x/y", whole), { name: "root", relative: "x/y" });
  },
});

const WAYS: [root: Known, path: string, way: string | undefined, style: PathStyle][] = [
  [{ path: "/private/tmp/p", aliases: ["/tmp/p"] }, "/tmp/p/a/b", "a/b", "posix"],
  [{ path: "/private/tmp/p", aliases: ["/tmp/p"] }, "/private/tmp/p", "", "posix"],
  [{ path: "/private/tmp/p", aliases: ["/tmp/p"] }, "/tmp/p_evil/a", undefined, "posix"],
  [{ path: "/Users/ann/Code", anyCase: true }, "/users/ANN/code/A.txt", "A.txt", "posix"],
  [{ path: "/Users/ann/caf\u00e9", anyCase: true }, "/Users/ann/cafe\u0301/x", "x", "posix"],
  [{ path: "/Users/ann/Code" }, "/users/ann/code/A.txt", undefined, "posix"],
  [{ path: "/Users/ann/Code", anyCase: true }, "/users/ann", undefined, "posix"],
  [{ path: "C:\\Users\\Ann" }, "c:\\users\\ann\\Docs\\x.txt", "Docs/x.txt", "windows"],
  [{ path: "C:\\" }, "c:\\x", "x", "windows"],
  [{ path: "C:\\Users\\Ann" }, "D:\\users\\ann\\x", undefined, "windows"],
  [{ path: "C:\\Users\\Ann" }, "C:\\Users\\Annabel\\x", undefined, "windows"],
];

for (const [root, path, way, style] of WAYS) {
  Deno.test(`wayFrom ${JSON.stringify(root)} to ${JSON.stringify(path)}: ${way}`, () => {
    assertEquals(wayFrom(root, path, style), way);
  });
}

for (const path of OUTSIDE) {
  Deno.test(`locateAbsolute refuses ${JSON.stringify(path)}, which is in no root`, () => {
    const error: PaddockError = assertThrows(() => locateAbsolute(path, ROOTS), PaddockError);
    assertEquals([error.code, error.audit?.attempted_path], ["OUT_OF_BOUNDS", path]);
  });
}
