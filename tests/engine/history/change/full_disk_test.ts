/** A full disk: a change that was made is not reported as failed, and nothing is left lying around. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHistory, ReplacedFiles, type Step } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { needs, withGit } from "../../../support/needs.ts";
import { nameless, NEVER, newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

const { writeSync } = Deno.FsFile.prototype;

/** From now on there is no room for writes that match. */
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
  return work.names().filter((name) => /mcp\/(pack-|branch)|\.tmp$/.test(name));
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
  Deno.test(
    withGit(`change is made when the disk has no room for the index${part}, which the next call completes`),
    async () => {
      using work = await newWorkspace();
      await work.put("a", "old\n");
      const history = openHistory(work.root, { onStep: (step) => step === "branch" && fill(isTooMuch) });
      const steps: Step[] = [{ kind: "move", from: work.at("a"), to: work.at("b") }];
      try {
        const { commit } = await history.change(REQUEST, () => ({ summary: "x", steps, value: null }));
        assertEquals((await history.log({ limit: 1 })).entries[0]?.commit, commit);
        await history.heal(); // reading works as well
      } finally {
        makeRoom();
      }
      assertEquals(work.git("show", "HEAD:b"), "old\n");
      assertEquals(temporary(work), []);
      assert(work.git("status", "--porcelain") !== "", "the index is behind");
      await history.heal();
      work.judge();
    },
  );
}

for (
  const [what, isWanted] of [
    ["for its objects", (bytes) => bytes.length > 500],
    ["for the predicted index", (bytes) => isIndex(bytes)],
  ] as [string, (bytes: Uint8Array) => boolean][]
) {
  Deno.test({
    ...needs("Linux", "git")(`change has room ${what} if only replaced files took it up`),
    fn: async () => {
      using work = await newWorkspace();
      for (const content of ["0", "1", "2"]) await work.put("a", content);
      assert(nameless(work.path) > 0);
      fill((bytes) => isWanted(bytes) && nameless(work.path) > 0);
      const content = crypto.getRandomValues(new Uint8Array(1000));
      assert((await work.put("a", content).finally(makeRoom)).changed);
      assertEquals(temporary(work), []);
      work.judge();
    },
  });
}

Deno.test({
  ...needs("Linux", "git")("change completes the index if only replaced files took up the room"),
  fn: async () => {
    using work = await newWorkspace();
    for (const path of ["a", "b"]) await work.put(path, "old\n");
    work.history.close(); // which contains files too
    const onStep = (step: string) =>
      step === "branch" && fill((bytes) => isIndex(bytes) && nameless(work.path) > 0);
    const options = { idleMs: NEVER, replaced: new ReplacedFiles(), onStep };
    const history = openHistory(work.root, options);
    const steps: Step[] = [
      { kind: "put", path: work.at("a"), bytes: new Uint8Array(10) },
      { kind: "move", from: work.at("b"), to: work.at("c") },
    ];
    await history.change(REQUEST, () => ({ summary: "x", steps, value: null })).finally(makeRoom);
    assertEquals(temporary(work), []);
    work.judge();
    history.close();
  },
});

Deno.test({
  ...needs("Linux", "git")(
    "change that was made is not repeated if only its end fails for lack of room",
  ),
  fn: async () => {
    using work = await newWorkspace();
    for (const path of ["a", "b"]) await work.put(path, "old\n");
    const onStep = (step: string) => {
      if (step === "index") throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
    };
    const history = openHistory(work.root, { idleMs: NEVER, replaced: new ReplacedFiles(), onStep });
    const steps: Step[] = [{ kind: "move", from: work.at("a"), to: work.at("c") }];
    const failed = await history.change(REQUEST, () => ({ summary: "x", steps, value: null })).catch(String);
    assertMatch(String(failed), /No space left/);
    history.close();
    await work.history.heal();
    assertEquals([work.read("c"), work.git("log", "--format=%s").split("\n").length], ["old\n", 4]);
    work.judge();
  },
});

function isIndex(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 4)) === "DIRC";
}

Deno.test(
  withGit("heal does not repeat a change that a person undid before the index had room"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const isLarge = (bytes: Uint8Array) => bytes.length > 30;
    const history = openHistory(work.root, { onStep: (step) => step === "branch" && fill(isLarge) });
    const steps: Step[] = [{ kind: "move", from: work.at("a"), to: work.at("b") }];
    await history.change(REQUEST, () => ({ summary: "x", steps, value: null })).finally(makeRoom);
    work.git("reset", "-q", "--hard", "HEAD^");
    await history.heal();
    assertEquals(work.read("a"), "old\n");
    assertEquals(work.git("log", "--format=%s").trim().split("\n").length, 1);
    assertEquals(work.git("status", "--porcelain"), "?? b\n"); // which was never in git's index, so git left it
  },
);

Deno.test(withGit("change that has no room for the predicted index changes nothing"), async () => {
  using work = await newWorkspace();
  for (let i = 0; i < 20; i++) await work.put(`f${i}`, "old\n");
  fill(isIndex);
  const text = await refusal(work.put("f0", "new\n")).finally(makeRoom);
  assertMatch(text, /^INTERNAL: no space left on the device/);
  assertEquals(work.read("f0"), "old\n");
  assertEquals(temporary(work), []);
  work.judge();
  assert((await work.put("f0", "new\n")).changed);
});

Deno.test(withGit("change that has no room for its objects leaves none of them half written"), async () => {
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
