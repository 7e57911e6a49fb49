/** Formats the doctor's findings, for people and for programs. */
import type { Colour, Paint } from "../colours.ts";
import type { Finding, Status } from "./finding.ts";

const WORDS: Record<Status, [word: string, colour: Colour]> = {
  ok: ["ok", "green"],
  warning: ["warning", "yellow"],
  failed: ["FAILED", "red"],
  skipped: ["skipped", "dim"],
};
const WORD_WIDTH = 7;
const NAME_WIDTH = 34;

export function findingLine({ check, status, detail }: Finding, paint: Paint): string {
  const [word, colour] = WORDS[status];
  const text = detail.replace(/\p{Cc}/gu, " ");
  return `  ${paint(colour, word.padEnd(WORD_WIDTH))}  ${check.padEnd(NAME_WIDTH)}  ${text}`;
}

export function sumLine(findings: readonly Finding[], paint: Paint): string {
  const count = (status: Status) => findings.filter((found) => found.status === status).length;
  const [failed, warnings, skipped] = [count("failed"), count("warning"), count("skipped")];
  const sum = `${count("ok")} ok, ${failed} failed, ${warnings} warnings, ${skipped} skipped`;
  return paint(failed > 0 ? "red" : "green", sum);
}

export interface Examined {
  readonly directory: string;
  readonly findings: readonly Finding[];
}

export function jsonReport(examined: readonly Examined[]): string {
  const ok = !examined.some(({ findings }) => findings.some(({ status }) => status === "failed"));
  return JSON.stringify({ ok, directories: examined }, null, 2);
}
