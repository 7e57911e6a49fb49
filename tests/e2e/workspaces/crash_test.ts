import { assertEquals } from "@std/assert";
import { withGit } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { seeded } from "../../support/random.ts";
import { applyKillRounds } from "./apply_kills.ts";
import { checkKills, checkManyWriters } from "./crash.ts";

// With 4 × 100 writes, and 100 kills of both kinds: deno run -A tests/torture/workspaces.ts

Deno.test(
  withGit("four processes write to one workspace at once: a linear history with all commits"),
  async () => {
    using folder = tempFolder();
    await checkManyWriters(folder.path, { servers: 4, writes: 25 });
  },
);

Deno.test(
  withGit("kill -9 in a stream of writes loses no acknowledged commit; the next call repairs the workspace"),
  async () => {
    using folder = tempFolder();
    await checkKills(folder.path, { kills: 6 });
  },
);

Deno.test(
  withGit("kill -9 in the middle of many changes at once leaves all of them or none"),
  async () => {
    using folder = tempFolder();
    const { kills } = await applyKillRounds({
      root: folder.path,
      kills: 4,
      operations: 60,
      random: seeded(Date.now()),
    });
    assertEquals(kills, 4);
  },
);
