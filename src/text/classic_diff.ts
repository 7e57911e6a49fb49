/**
 * A diff as the official filesystem server shows it: in a fence of backticks, with LF, with the path in its
 * header.
 */
import { unifiedDiffSteps } from "./diff.ts";
import { withLf } from "./flexible_edits.ts";

const RULE = "=".repeat(67);
const CONTEXT = 4;

/** The official server writes the length of one-line ranges too. No line of the files can look like this. */
const RANGES = /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@$/gm;

function counted(_: string, old: string, oldCount = ",1", now: string, newCount = ",1"): string {
  return `@@ -${old}${oldCount} +${now}${newCount} @@`;
}

export function* classicDiffSteps(before: string, after: string, path: string): Generator<void, string> {
  const hunks = yield* unifiedDiffSteps(withLf(before), withLf(after), { path: "x", context: CONTEXT });
  const head = `Index: ${path}\n${RULE}\n--- ${path}\toriginal\n+++ ${path}\tmodified\n`;
  const diff = head + hunks.slice(hunks.indexOf("\n", hunks.indexOf("\n") + 1) + 1).replace(RANGES, counted);
  let fence = "```";
  while (diff.includes(fence)) fence += "`";
  return `${fence}diff\n${diff}${fence}\n\n`;
}
