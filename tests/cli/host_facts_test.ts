import { assert, assertEquals, assertThrows } from "@std/assert";
import { hostFacts, parseIdNames, parseOpenFiles } from "../../src/cli/host_facts.ts";
import { onLinux, onUnix } from "../support/needs.ts";

Deno.test("parseIdNames reads passwd and group lines and skips everything else", () => {
  const text = [
    "root:x:0:0:root:/root:/bin/bash",
    "# comment:x:5:",
    "",
    "+nis:x:7:",
    "-nis:x:8:",
    "toor:x:0:0::/:/bin/sh",
    "staff:x:50:alice,bob",
    "short:x:60",
    "crlf:x:61:\r",
    "nothing",
    "noid:x::",
    "text:x:abc:",
    "neg:x:-2:",
    ":x:9:",
    "svc$:*:4294967294:",
    "huge:x:99999999999:",
  ].join("\n");
  assertEquals(parseIdNames(text), [[0, "root"], [50, "staff"], [60, "short"], [61, "crlf"], [
    4294967294,
    "svc$",
  ]]);
  assertEquals(parseIdNames(""), []);
});

Deno.test(
  onUnix("hostFacts returns names and the umask of this machine"),
  () => {
    const facts = hostFacts();
    assertEquals(facts.umask, Deno.umask());
    assert(facts.users.some(([id, name]) => id === 0 && name === "root"));
    assert(facts.groups.some(([id]) => id === 0));
  },
);

Deno.test("parseOpenFiles reads the current limit, and nothing if there is none", () => {
  const limits = (soft: string) =>
    "Limit                     Soft Limit           Hard Limit           Units     \n" +
    "Max processes             128000               128000               processes \n" +
    `Max open files            ${soft.padEnd(20)} 1048576              files     \n`;
  assertEquals(parseOpenFiles(limits("1024")), 1024);
  assertEquals(parseOpenFiles(limits("unlimited")), undefined);
  assertEquals(parseOpenFiles(""), undefined);
});

Deno.test(
  onLinux("hostFacts returns how many files may be open"),
  () => assert((hostFacts().openFiles ?? 0) > 0),
);

Deno.test({
  ...onLinux("hostFacts gives how many files may be open where /proc is closed, as it is to an executable"),
  permissions: { read: true, ffi: true },
  fn() {
    assertThrows(() => Deno.readTextFileSync("/proc/self/limits"), Deno.errors.NotCapable);
    assert((hostFacts().openFiles ?? 0) > 0);
  },
});

Deno.test({
  name: "hostFacts does without what it may not read, and does not prompt",
  permissions: "none",
  fn() {
    assertEquals(hostFacts(), { users: [], groups: [], umask: 0o022 });
  },
});
