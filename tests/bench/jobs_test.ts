import { assert, assertEquals } from "@std/assert";
import { classicPaddock, compactPaddock, costOf } from "../../bench/jobs_table.ts";
import { JOBS } from "../../bench/jobs/mod.ts";

/** Limits for the answers of a job; docs/notes/model_jobs.md has the actual figures, also of other servers. */
const MOST_BYTES = 4_000;

for (const job of JOBS) {
  Deno.test(`the job "${job.what}" costs little, and damages nothing`, async () => {
    const { calls, bytes, damage } = await costOf(job, compactPaddock());
    assertEquals(damage, "");
    assert(calls > 0 && bytes < MOST_BYTES, `${calls} calls, ${bytes} bytes`);
  });
}

/** Files that the official server damages stay intact here, with the same calls. */
for (const job of JOBS.filter(({ damage }) => damage !== undefined)) {
  Deno.test(`the job "${job.what}" damages nothing with --classic`, async () => {
    assertEquals((await costOf(job, classicPaddock())).damage, "");
  });
}
