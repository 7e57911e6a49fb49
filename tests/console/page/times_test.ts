import { assertEquals } from "@std/assert";
import { ago, bytes, counted, dayName, sinceTime } from "../../../console/text/times.ts";

const NOW = new Date(2026, 10, 18, 12, 0).getTime();
const at = (...[month, day, hour = 10]: number[]) =>
  new Date(2026, (month ?? 1) - 1, day, hour).toISOString();

Deno.test("dayName names days as people do", () => {
  assertEquals(dayName(at(11, 18, 0), NOW), "Today");
  assertEquals(dayName(at(11, 17, 23), NOW), "Yesterday");
  assertEquals(dayName(at(11, 16), NOW), "Monday, November 16");
  assertEquals(dayName(new Date(2025, 0, 2).toISOString(), NOW), "January 2, 2025");
});

Deno.test("ago, counted and bytes are short", () => {
  assertEquals(ago(new Date(NOW - 20_000).toISOString(), NOW), "just now");
  assertEquals(ago(at(11, 18, 9), NOW), "3 h ago");
  assertEquals(ago(at(11, 15, 9), NOW), "3 days ago");
  assertEquals([counted(1, "file"), counted(1_200, "file")], ["1 file", "1,200 files"]);
  assertEquals([bytes(999), bytes(1_234), bytes(56_000), bytes(2_500_000)], [
    "999 B",
    "1.2 KB",
    "56 KB",
    "2.5 MB",
  ]);
});

Deno.test("sinceTime accepts periods, days and times, and refuses the rest", () => {
  assertEquals(sinceTime("24h", NOW), new Date(NOW - 86_400_000).toISOString());
  assertEquals(sinceTime("30m", NOW), new Date(NOW - 1_800_000).toISOString());
  assertEquals(sinceTime("2026-11-01", NOW), new Date(2026, 10, 1).toISOString());
  assertEquals(sinceTime("2026-11-01T10:00:00Z", NOW), "2026-11-01T10:00:00.000Z");
  assertEquals([sinceTime("soon", NOW), sinceTime("", NOW), sinceTime("99999h", NOW)], [null, null, null]);
});
