/** Times in ISO 8601, as `Date.toISOString` writes them, which takes ten times as long: listings have thousands. */

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, "0"));

/** The files of a folder are from a few days. */
const REMEMBERED = 64;
const remembered: { readonly day: number; readonly text: string }[] = [];

/** Of a time in whole milliseconds since 1970. Like `toISOString`, it throws a RangeError if there is none. */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const minutes = Math.floor((ms - day * DAY_MS) / MINUTE_MS);
  const rest = ms - day * DAY_MS - minutes * MINUTE_MS;
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}`;
  return `${dayText(day)}${clock}:${TWO_DIGITS[Math.floor(rest / 1000)]}.${THREE_DIGITS[rest % 1000]}Z`;
}

/** `2026-11-19T` */
function dayText(day: number): string {
  const known = remembered[day & (REMEMBERED - 1)];
  if (known?.day === day) return known.text;
  const text = new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length);
  remembered[day & (REMEMBERED - 1)] = { day, text };
  return text;
}
