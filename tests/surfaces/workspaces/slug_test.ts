import { assertEquals } from "@std/assert";
import { slugOf, slugVariant } from "../../../src/surfaces/workspaces/slug.ts";

const SLUGS: [name: string, slug: string][] = [
  ["My First Workspace", "my-first-workspace"],
  ["already-a-slug", "already-a-slug"],
  ["  spaces   and\ttabs\n", "spaces-and-tabs"],
  ["--a--b--", "a-b"],
  ['a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j"],
  ["../../etc/passwd", "etc-passwd"],
  [".git", "git"],
  ["a.b_c", "a-b-c"],
  ["Café №5", "caf-5"],
  ["ÜBER", "ber"],
  ["nul\0byte", "nul-byte"],
  ["2024", "2024"],
  ["", ""],
  ["...", ""],
  ["日本", ""],
  ["x".repeat(70), "x".repeat(64)],
  [`${"x".repeat(63)} yz`, "x".repeat(63)],
];

Deno.test("slugOf keeps lower-case letters and digits, with one dash between them, at most 64", () => {
  for (const [name, slug] of SLUGS) assertEquals(slugOf(name), slug, JSON.stringify(name));
});

Deno.test("slugVariant appends a number within the 64 characters", () => {
  const variants: [slug: string, n: number, variant: string][] = [
    ["a", 1, "a"],
    ["a", 2, "a-2"],
    ["a", 10_000, "a-10000"],
    ["x".repeat(64), 2, `${"x".repeat(62)}-2`],
    [`${"x".repeat(61)}-yz`, 3, `${"x".repeat(61)}-3`],
  ];
  for (const [slug, n, variant] of variants) assertEquals(slugVariant(slug, n), variant);
});
