/**
 * Ids of changes: eight characters of time in milliseconds, so that they sort, and eight random ones. Within a
 * process no two have the same time, so the first eight are nearly always enough to identify one.
 */

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"; // without i, l, o and u, which are easily misread
const TIME_CHARACTERS = 8;
const CHANCE_CHARACTERS = 8;
/** 2020-01-01; eight characters reach to 2054. */
const EPOCH = 1_577_836_800_000;

export const SHORTEST_ID = 4;
export const ID_LENGTH = TIME_CHARACTERS + CHANCE_CHARACTERS;

let last = 0;

export function newChangeId(now: number = Date.now()): string {
  last = Math.max(now, last + 1);
  const chance = crypto.getRandomValues(new Uint8Array(CHANCE_CHARACTERS));
  return digits(last - EPOCH, TIME_CHARACTERS) + [...chance].map((byte) => DIGITS[byte % 32]).join("");
}

/** Whether a text can be the beginning of an id. */
export function looksLikeId(text: string): boolean {
  return text.length >= SHORTEST_ID && text.length <= ID_LENGTH && /^[0-9a-hjkmnp-tv-z]+$/.test(text);
}

function digits(value: number, length: number): string {
  let text = "";
  for (let rest = Math.max(0, value); text.length < length; rest = Math.floor(rest / 32)) {
    text = (DIGITS[rest % 32] ?? "0") + text;
  }
  return text;
}
