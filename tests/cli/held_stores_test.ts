import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { HeldStores } from "../../src/cli/held_stores.ts";
import { tempFolder } from "../support/temp.ts";

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test("a store that is just being created is held as soon as it has memory to share", async () => {
  using base = tempFolder();
  const maker = new DatabaseSync(`${base.path}/undo.db`);
  maker.exec("create table t (x)"); // not in WAL mode yet
  const stores = new HeldStores();
  const holding = stores.hold(base.path);
  await new Promise((resolve) => setTimeout(resolve, 60));
  maker.exec("pragma journal_mode = wal; insert into t values (1)");
  await holding;
  maker.close();
  // The last connection that closes a database removes its shared memory.
  assertEquals(isFile(`${base.path}/undo.db-shm`), true);
  stores.close();
  assertEquals(isFile(`${base.path}/undo.db-shm`), false);
});

Deno.test("a store that does not exist is neither held nor created", async () => {
  using base = tempFolder();
  const stores = new HeldStores();
  await stores.hold(base.path);
  stores.close();
  assertEquals(base.names(), []);
});
