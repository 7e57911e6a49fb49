import { assertEquals } from "@std/assert";
import { progressReports } from "../../src/server/progress.ts";

/** Progress as a client receives it, with a clock that advances by this many milliseconds at each report. */
function told(reports: [progress: number, afterMs: number][]): unknown[] {
  const sent: unknown[] = [];
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  try {
    const { progress, end } = progressReports((done) => sent.push(done));
    for (const [done, afterMs] of reports) {
      time += afterMs;
      if (done < 0) end();
      else progress({ progress: done, message: `${done} done` });
    }
    return sent;
  } finally {
    performance.now = now;
  }
}

Deno.test("progressReports reports a few times a second, always more, and nothing after the answer", () => {
  const reports: [number, number][] = [[1, 10], [2, 300], [3, 10], [4, 250], [4, 1_000], [5, 0], [-1, 0], [
    6,
    1_000,
  ]];
  assertEquals(
    told(reports),
    [2, 4, 5].map((progress) => ({
      progress,
      message: `${progress} done`,
    })),
  );
});
