import { assert, assertEquals } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { seeded } from "../../support/random.ts";
import { tempFolder } from "../../support/temp.ts";
import { killRounds } from "./kills.ts";

for (const [where, inMemory] of [["one file system", false], ["two file systems", true]] as const) {
  Deno.test({
    ...onUnix(
      `kill -9 in a stream of changes and undos of three servers loses nothing, with root and store on ${where}`,
    ),
    fn: async () => {
      using base = tempFolder();
      using other = tempFolder({ inMemory });
      Deno.mkdirSync(`${base.path}/project`);
      const sum = await killRounds({
        root: `${base.path}/project`,
        undoDir: `${other.path}/undo`,
        agents: 3,
        kills: 9,
        random: seeded(11),
      });
      assertEquals(sum.problems, []);
      assert(sum.acknowledged > 0 && sum.kills >= 9, JSON.stringify(sum));
    },
  });
}
