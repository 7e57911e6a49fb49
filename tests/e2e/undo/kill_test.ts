import { assert, assertEquals } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { seeded } from "../../support/random.ts";
import { tempFolder } from "../../support/temp.ts";
import { applyKillRounds } from "./apply_kills.ts";
import { killRounds } from "./kills.ts";
import { contentOf } from "./random_changes.ts";

Deno.test({
  ...onUnix("kill -9 in a stream of changes and undos of three servers loses nothing"),
  fn: async () => {
    using base = tempFolder();
    Deno.mkdirSync(`${base.path}/project`);
    const sum = await killRounds({
      root: `${base.path}/project`,
      undoDir: `${base.path}/undo`,
      agents: 3,
      kills: 9,
      random: seeded(11),
    });
    assertEquals(sum.problems, []);
    assert(sum.acknowledged > 0 && sum.kills >= 9, JSON.stringify(sum));
  },
});

Deno.test({
  ...onUnix(
    "kill -9 during many changes at once leaves all of them or none, even if the next server is killed too",
  ),
  fn: async () => {
    using base = tempFolder();
    const random = seeded(20);
    for (let i = 0; i < 40; i++) base.write(`project/f${i % 5}/s${i % 3}/file${i}.txt`, contentOf(random));
    const sum = await applyKillRounds({
      root: `${base.path}/project`,
      undoDir: `${base.path}/undo`,
      kills: 4,
      operations: 80,
      random,
    });
    assertEquals([sum.problems, sum.kills], [[], 4]);
  },
});
