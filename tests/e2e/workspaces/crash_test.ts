import { withGit } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { checkKills, checkManyWriters } from "./crash.ts";

// With 4 × 100 writes and 100 kills: deno run -A tests/torture/workspaces.ts

Deno.test(
  withGit("four processes write to one workspace at once: a linear history with all commits"),
  async () => {
    using folder = tempFolder();
    await checkManyWriters(folder.path, { servers: 4, writes: 25 });
  },
);

Deno.test(
  withGit("kill -9 in a stream of writes loses no acknowledged commit; the next call heals"),
  async () => {
    using folder = tempFolder();
    await checkKills(folder.path, { kills: 6 });
  },
);
