/** A file restored from the history is never open to more people than before. */
import { assertEquals, assertMatch } from "@std/assert";
import { openHistory } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { onUnix, withGit } from "../../../support/needs.ts";
import { newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

const RESTORE = { ...REQUEST, tool: "restore" };

function modeOf(work: Pick<Workspace, "path">, path: string): string {
  return ((Deno.lstatSync(`${work.path}/${path}`).mode ?? 0) & 0o7777).toString(8);
}

/** Two commits: one without the file, and one with it. */
async function withFile(
  path: string,
  mode: number,
): Promise<Workspace & { without: string; withIt: string }> {
  const work = await newWorkspace();
  const { commit: without } = await work.put("first", "1\n");
  const { commit: withIt } = await work.put(path, "SECRET\n");
  Deno.chmodSync(`${work.path}/${path}`, mode);
  return { ...work, without, withIt };
}

for (const mode of [0o600, 0o400, 0o640, 0o660, 0o700, 0o711]) {
  Deno.test({
    ...withGit(
      `restore restores a file with mode ${mode.toString(8)} after a restore removed it, in any process`,
    ),
    fn: async () => {
      using work = await withFile("d/.env", mode);
      const withIt = (await work.put("d/.env", "OTHER\n")).commit;
      await work.history.restore(RESTORE, { commit: work.without, maxFiles: 9 });
      assertEquals(work.names().includes("d/.env"), false);
      const other = workspaceOn(work.root);
      await other.history.restore(RESTORE, { commit: withIt, maxFiles: 9 });
      assertEquals([modeOf(work, "d/.env"), work.read("d/.env")], [mode.toString(8), "OTHER\n"]);
      work.judge();
    },
  });
}

/** How a private file goes away. */
const GONE: [name: string, act: (work: Workspace & { without: string }) => Promise<unknown>][] = [
  ["a person removed it after a tool had written it", async (work) => {
    await work.put("d/.env", "OTHER\n");
    Deno.removeSync(`${work.path}/d/.env`);
    await work.put("first", "2\n");
  }],
  ["it was moved", async ({ change, at }) => {
    await change({ kind: "move", from: at("d/.env"), to: at("moved") });
  }],
  ["its folder was moved", async ({ change, at }) => {
    await change({ kind: "move", from: at("d"), to: at("e") });
  }],
  ["its folder was removed", async ({ change, at }) => {
    await change({ kind: "remove", path: at("d") });
  }],
  ["a file replaced its folder", async ({ change, put, at }) => {
    await change({ kind: "remove", path: at("d") });
    await put("d", "a file\n");
  }],
];

for (const [name, act] of GONE) {
  Deno.test({
    ...withGit(`restore makes a private file as private as it was when ${name}`),
    fn: async () => {
      using work = await withFile("d/.env", 0o600);
      await act(work);
      await work.history.restore(RESTORE, { commit: work.withIt, maxFiles: 9 });
      assertEquals([modeOf(work, "d/.env"), work.read("d/.env")], ["600", "SECRET\n"]);
      work.judge();
    },
  });
}

Deno.test({
  ...onUnix("restore restores a private file under the name it was moved to"),
  fn: async () => {
    using work = await withFile("d/.env", 0o600);
    const { commit } = await work.change({ kind: "move", from: work.at("d"), to: work.at("e") });
    Deno.removeSync(`${work.path}/e/.env`);
    await work.history.restore(RESTORE, { commit, path: "e", maxFiles: 9 });
    assertEquals(modeOf(work, "e/.env"), "600");
  },
});

Deno.test({
  ...withGit(
    "restore uses the mode that a file was last seen with, and the executable bit of the commit",
  ),
  fn: async () => {
    using work = await withFile("run", 0o600);
    const path = `${work.path}/run`;
    await work.put("run", "1\n");
    Deno.chmodSync(path, 0o700);
    const { commit } = await work.put("run", "2\n");
    await work.history.restore(RESTORE, { commit: work.without, maxFiles: 9 });
    await work.history.restore(RESTORE, { commit: work.withIt, maxFiles: 9 });
    assertEquals(modeOf(work, "run"), "600");
    await work.history.restore(RESTORE, { commit: work.without, maxFiles: 9 });
    await work.history.restore(RESTORE, { commit, maxFiles: 9 });
    assertEquals(modeOf(work, "run"), "700");
    Deno.chmodSync(path, 0o755);
    await work.put("run", "3\n");
    await work.history.restore(RESTORE, { commit: work.without, maxFiles: 9 });
    await work.history.restore(RESTORE, { commit, maxFiles: 9 });
    assertEquals(modeOf(work, "run"), "755");
    work.judge();
  },
});

Deno.test({
  ...onUnix("a file that is restored because a later step failed is as private as it was"),
  fn: async () => {
    using work = await withFile("a", 0o600);
    await work.put("z/last", "1\n");
    const failing = openHistory(work.root, {
      onStep: (step) => {
        if (step !== "working tree") return;
        Deno.removeSync(`${work.path}/z`, { recursive: true });
        work.write("z", "");
      },
    });
    const steps = [
      { kind: "remove" as const, path: work.at("a") },
      { kind: "put" as const, path: work.at("z/last"), bytes: new Uint8Array([10]) },
    ];
    assertMatch(await refusal(failing.change(REQUEST, () => ({ summary: "x", steps, value: null }))), /./);
    assertEquals([modeOf(work, "a"), work.read("a")], ["600", "SECRET\n"]);
  },
});

Deno.test({
  ...withGit("change continues when the remembered modes are damaged"),
  fn: async () => {
    using work = await withFile("a", 0o600);
    await work.put("a", "OTHER\n");
    const notes = work.read(".git/mcp/modes");
    work.write(".git/mcp/modes", `\n777\n999 "a"\n600 "cut\n4755 "a"${notes}\n600 "b`);
    await work.put("b", "1\n");
    await work.history.restore(RESTORE, { commit: work.without, maxFiles: 9 });
    await work.history.restore(RESTORE, { commit: work.withIt, maxFiles: 9 });
    assertEquals(modeOf(work, "a"), "600");
    work.judge();
  },
});
