/** Times and sizes for people, in the browser's time zone and by its clock. */

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const clockSeconds = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const dayOfYear = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long" });
const dayWithYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });
const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const number = new Intl.NumberFormat("en");

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export function clockOf(time: string): string {
  return clock.format(new Date(time));
}

export function clockWithSeconds(time: string): string {
  return clockSeconds.format(new Date(time));
}

export function fullTime(time: string): string {
  return whole.format(new Date(time));
}

/** The same for all times of one day. */
export function dayKey(time: string): string {
  return new Date(time).toDateString();
}

export function dayName(time: string, now = Date.now()): string {
  const date = new Date(time);
  if (dayKey(time) === new Date(now).toDateString()) return "Today";
  if (dayKey(time) === new Date(now - DAY).toDateString()) return "Yesterday";
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayOfYear : dayWithYear).format(date);
}

/** As short as is unambiguous: `Today 14:02`, `3 Mar 14:02`. */
export function shortTime(time: string, now = Date.now()): string {
  const name = dayName(time, now);
  const day = name === "Today" || name === "Yesterday" ? name : shortDay.format(new Date(time));
  return `${day} ${clockOf(time)}`;
}

export function ago(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time);
  if (passed < MINUTE) return "just now";
  if (passed < 60 * MINUTE) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / (60 * MINUTE))} h ago`;
  const days = Math.floor(passed / DAY);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

export function count(many: number): string {
  return number.format(many);
}

/** `1 file`, `12 files`. */
export function counted(many: number, what: string): string {
  return `${count(many)} ${what}${many === 1 ? "" : "s"}`;
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const [value, unit] = size < 1_000_000 ? [size / 1_000, "KB"] : [size / 1_000_000, "MB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/**
 * A period before now such as `1h` or `7d`, or a day or time, in the form the API takes; null if it is none of these.
 */
export function sinceTime(since: string, now = Date.now()): string | null {
  const span = /^(\d{1,4})([mhd])$/.exec(since);
  if (span !== null) {
    const unit = { m: MINUTE, h: 60 * MINUTE, d: DAY }[span[2] ?? ""] ?? DAY;
    return new Date(now - Number(span[1]) * unit).toISOString();
  }
  const day = /^\d{4}-\d\d-\d\d$/.test(since) ? `${since}T00:00:00` : since;
  const time = Date.parse(day);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
