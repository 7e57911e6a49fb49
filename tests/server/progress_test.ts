import { assertEquals } from "@std/assert";
import { progressReports } from "../../src/server/progress.ts";

/** Progress as it reaches a client, with a clock that goes so many milliseconds at each report. */
function told(token: string | number | undefined, reports: [progress: number, afterMs: number][]): unknown[] {
  const sent: unknown[] = [];
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  try {
    const mcpReq = {
      _meta: token === undefined ? undefined : { progressToken: token },
      notify: ({ params }: { params: unknown }) => Promise.resolve(void sent.push(params)),
    };
    // Of a request's context only these two are looked at.
    const { progress, end } = progressReports({ mcpReq } as unknown as Parameters<typeof progressReports>[0]);
    for (const [done, afterMs] of reports) {
      time += afterMs;
      if (done < 0) end();
      else progress?.({ progress: done, message: `${done} done` });
    }
    return sent;
  } finally {
    performance.now = now;
  }
}

Deno.test("progressReports tells nothing to a client that has not asked", () => {
  assertEquals(told(undefined, [[1, 1_000]]), []);
});

Deno.test("progressReports tells a few times a second, always more, and nothing after the answer", () => {
  const reports: [number, number][] = [[1, 10], [2, 300], [3, 10], [4, 250], [4, 1_000], [5, 0], [-1, 0], [
    6,
    1_000,
  ]];
  assertEquals(
    told(0, reports),
    [2, 4, 5].map((progress) => ({
      progressToken: 0,
      progress,
      message: `${progress} done`,
    })),
  );
});
