/** What is left when the disk is full: a change that is made is not reported as failed, and nothing lies about. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHistory, type Step } from "../../../src/engine/history/mod.ts";
import { refusal } from "../../support/engine.ts";
import { newWorkspace, REQUEST, type Workspace } from "./workspace.ts";

const { writeSync } = Deno.FsFile.prototype;

/** From now on there is no room for writes of which that is so. */
function fill(isTooMuch: (bytes: Uint8Array) => boolean): void {
  Deno.FsFile.prototype.writeSync = function (bytes) {
    if (!isTooMuch(bytes)) return writeSync.call(this, bytes);
    throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
  };
}

function makeRoom(): void {
  Deno.FsFile.prototype.writeSync = writeSync;
}

function temporary(work: Workspace): string[] {
  return work.names().filter((name) => /tmp_obj_|\.tmp$/.test(name));
}

for (
  const [part, isTooMuch] of [["", (bytes) => bytes.length > 30], [
    "'s last bytes",
    (bytes) => bytes.length === 20,
  ]] as [
    string,
    (bytes: Uint8Array) => boolean,
  ][]
) {
  Deno.test(`change is made when the disk has no room for the index${part}, which the next call completes`, async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const history = openHistory(work.root, { onStep: (step) => step === "branch" && fill(isTooMuch) });
    const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: new TextEncoder().encode("new\n") }];
    try {
      const { commit } = await history.change(REQUEST, () => ({ summary: "x", steps, value: null }));
      assertEquals((await history.log({ limit: 1 })).entries[0]?.commit, commit);
      await history.heal(); // looking goes on as well
    } finally {
      makeRoom();
    }
    assertEquals(work.git("show", "HEAD:a"), "new\n");
    assertEquals(temporary(work), []);
    await history.heal();
    work.judge();
  });
}

Deno.test("change that has no room for its objects leaves none of them half written", async () => {
  using work = await newWorkspace();
  await work.put("a", "old\n");
  fill((bytes) => bytes.length > 500);
  const content = crypto.getRandomValues(new Uint8Array(1000));
  const text = await refusal(work.put("a", content)).finally(makeRoom);
  assertMatch(text, /^INTERNAL: no space left on the device/);
  assertEquals(temporary(work), []);
  work.judge();
  assert((await work.put("a", content)).changed);
});
