import { assert, assertEquals } from "@std/assert";
import { classicPaddock, compactPaddock, costOf } from "../../bench/jobs_table.ts";
import { JOBS } from "../../bench/jobs/mod.ts";

/** What the answers of a job may take; docs/notes/model_jobs.md has what they take, and what those of others do. */
const MOST_BYTES = 4_000;

for (const job of JOBS) {
  Deno.test(`the job "${job.what}" costs little, and damages nothing`, async () => {
    const { calls, bytes, damage } = await costOf(job, compactPaddock());
    assertEquals(damage, "");
    assert(calls > 0 && bytes < MOST_BYTES, `${calls} calls, ${bytes} bytes`);
  });
}

/** What the official server damages is whole here, by the same calls. */
for (const job of JOBS.filter(({ damage }) => damage !== undefined)) {
  Deno.test(`the job "${job.what}" damages nothing with --classic`, async () => {
    assertEquals((await costOf(job, classicPaddock())).damage, "");
  });
}
