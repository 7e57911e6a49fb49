/**
 * The attacks on Windows, by the rules alone, on every system; tests/e2e/windows_attacks_test.ts tries them on the
 * process.
 */
import { assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { isAbsolutePath, wayFrom } from "../../src/confine/absolute_path.ts";
import { isGitName, isTempName, lexicalPath, segmentsOf } from "../../src/confine/path_rules.ts";
import { windowsAttacks } from "../support/windows_attacks.ts";

const BASE = "C:\\Users\\Ann\\play";

/** Where a client's path leads in the root `field`, by names alone; as meant_path.ts interprets it. */
function segments(path: string): string[] {
  const absolute = isAbsolutePath(path, "windows") ? lexicalPath("", path, "windows") : undefined;
  const way = absolute === undefined ? undefined : wayFrom({ path: `${BASE}\\field` }, absolute, "windows");
  return segmentsOf(way ?? path, "windows");
}

function isRefused(path: string): boolean {
  try {
    segments(path);
    return false;
  } catch (error) {
    if (error instanceof PaddockError) return true;
    throw error;
  }
}

Deno.test("the rules for Windows recognise each of its attacks", () => {
  for (const { kind, path } of windowsAttacks(BASE)) {
    const what = `${kind}: ${JSON.stringify(path)}`;
    switch (kind) {
      case "form":
      case "absolute":
        assertEquals(isRefused(path), true, what);
        break;
      case "own":
        assertEquals(segments(path).some(isTempName), true, what);
        break;
      case "git":
        assertEquals(segments(path).some(isGitName), true, what);
        break;
      case "nested":
        assertEquals(segments(path)[0]?.toLowerCase(), "inner", what);
        break;
      case "harmless":
        segments(path);
    }
  }
});
