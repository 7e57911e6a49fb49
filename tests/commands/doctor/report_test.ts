import { assertEquals } from "@std/assert";
import { painter } from "../../../src/commands/colours.ts";
import { finding } from "../../../src/commands/doctor/finding.ts";
import { findingLine, jsonReport, sumLine } from "../../../src/commands/doctor/report.ts";

const FINDINGS = [
  finding("fence", "ok", "10 ways out"),
  finding("locks", "failed", "a\u001b[31m\nb"),
  finding("links", "skipped", "none here"),
];

Deno.test("findingLine and sumLine are plain and aligned without colours, and stay on one line", () => {
  assertEquals(FINDINGS.map((found) => findingLine(found, painter(false))), [
    "  ok       fence                               10 ways out",
    "  FAILED   locks                               a [31m b",
    "  skipped  links                               none here",
  ]);
  assertEquals(sumLine(FINDINGS, painter(false)), "1 ok, 1 failed, 0 warnings, 1 skipped");
});

Deno.test("findingLine and sumLine have colours if requested", () => {
  const paint = painter(true);
  assertEquals(
    findingLine(finding("fence", "ok", "d"), paint),
    `  \u001b[32mok     \u001b[0m  ${"fence".padEnd(34)}  d`,
  );
  assertEquals(sumLine(FINDINGS, paint).startsWith("\u001b[31m"), true);
  assertEquals(sumLine(FINDINGS.slice(0, 1), paint).startsWith("\u001b[32m"), true);
});

Deno.test("jsonReport says whether everything passed", () => {
  const parsed = (findings: typeof FINDINGS) => JSON.parse(jsonReport([{ directory: "/a", findings }]));
  assertEquals(parsed(FINDINGS), { ok: false, directories: [{ directory: "/a", findings: FINDINGS }] });
  assertEquals(parsed(FINDINGS.slice(0, 1)).ok, true);
});
