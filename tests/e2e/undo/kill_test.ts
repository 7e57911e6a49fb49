import { assert, assertEquals } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { seeded } from "../../support/random.ts";
import { tempFolder } from "../../support/temp.ts";
import { killRounds } from "./kills.ts";

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
