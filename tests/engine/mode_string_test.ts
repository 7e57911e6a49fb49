import { assertEquals } from "@std/assert";
import { type EntryKind, modeString, octalMode } from "../../src/engine/mode_string.ts";

const MODES: [mode: number, kind: EntryKind, letters: string, digits: string][] = [
  [0o100644, "file", "-rw-r--r--", "0644"],
  [0o755, "file", "-rwxr-xr-x", "0755"],
  [0o040755, "directory", "drwxr-xr-x", "0755"],
  [0o120777, "symlink", "lrwxrwxrwx", "0777"],
  [0o100000, "file", "----------", "0000"],
  [0o100001, "file", "---------x", "0001"],
  [0o100246, "file", "--w-r--rw-", "0246"],
  [0o104755, "file", "-rwsr-xr-x", "4755"],
  [0o104644, "file", "-rwSr--r--", "4644"],
  [0o102755, "file", "-rwxr-sr-x", "2755"],
  [0o102644, "file", "-rw-r-Sr--", "2644"],
  [0o041777, "directory", "drwxrwxrwt", "1777"],
  [0o041776, "directory", "drwxrwxrwT", "1776"],
  [0o107777, "file", "-rwsrwsrwt", "7777"],
  [0o107000, "file", "---S--S--T", "7000"],
  [0o010600, "other", "prw-------", "0600"],
  [0o020620, "other", "crw--w----", "0620"],
  [0o060660, "other", "brw-rw----", "0660"],
  [0o140755, "other", "srwxr-xr-x", "0755"],
  [0o644, "other", "?rw-r--r--", "0644"],
];

for (const [mode, kind, letters, digits] of MODES) {
  Deno.test(`modeString returns ${letters} for ${mode.toString(8)}, ${kind}`, () => {
    assertEquals(modeString(mode, kind), letters);
    assertEquals(octalMode(mode), digits);
  });
}
