/** Texts that show whether they are whole: a first line with the length and a checksum of the rest. */
import type { Random } from "../support/random.ts";

export function sealed(body: string): string {
  return `sealed ${body.length} ${checksum(body)}\n${body}`;
}

export function isSealed(text: string): boolean {
  const [, length, sum] = /^sealed (\d+) (\d+)\n/.exec(text) ?? [];
  const body = text.slice(text.indexOf("\n") + 1);
  return length !== undefined && Number(length) === body.length && Number(sum) === checksum(body);
}

/** Mostly small, now and then large. */
export function randomBody(random: Random): string {
  const length = random.next() < 0.1 ? random.below(300_000) : random.below(3_000);
  const word = Math.floor(random.next() * 1e9).toString(36);
  return `${word} `.repeat(Math.ceil(length / (word.length + 1))).slice(0, length);
}

/** FNV-1a, 32 bits. */
function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
