import { assert, assertEquals, assertMatch } from "@std/assert";
import type { RootUndo } from "../../src/base/config.ts";
import { onUnix } from "../support/needs.ts";
import { configOf, mistakesOf, rootsOf, type Variables, withTempDir } from "./support.ts";

async function undoOf(args: readonly string[], variables: Variables = {}): Promise<RootUndo | undefined> {
  return rootsOf(await configOf(args, variables)).roots[0]?.undo;
}

/** Why it is off, or that it is on. */
function said(undo: RootUndo | undefined): string {
  return undo === undefined ? "nothing" : "off" in undo ? undo.off : "on";
}

/** Below the home folder, if no variable names the place. */
const USUAL = { linux: ".local/state", darwin: "Library/Application Support", windows: undefined }[
  Deno.build.os as string
];

Deno.test("loadConfig records changes of directories in the state folder, unless told otherwise", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/src`);
    const env = { XDG_STATE_HOME: `${dir}/state`, LOCALAPPDATA: `${dir}/state`, HOME: `${dir}/home` };
    const undo = await undoOf([`${dir}/src`], env);
    assert(undo !== undefined && "store" in undo);
    assertMatch(undo.store, /\/state\/paddock\/src-[0-9a-z]+-[0-9a-z]+$/);
    assertEquals([undo.keepDays, undo.maxBytes, undo.maxChangeBytes], [30, 1024 ** 3, 200 * 1024 ** 2]);
    const home = await undoOf([`${dir}/src`], { HOME: `${dir}/home` });
    if (USUAL === undefined) assertMatch(said(home), /^there is no home folder/);
    else {assert(
        home !== undefined && "store" in home && home.store.startsWith(`${dir}/home/${USUAL}/paddock/`),
      );}
    assertEquals(said(await undoOf([`${dir}/src`, "--no-undo"], env)), "it was turned off (--no-undo)");
    assertEquals(said(await undoOf([`${dir}/src`, "--read-only"], env)), "the server is read-only");
    assertMatch(said(await undoOf([`${dir}/src`], { ...env, PADDOCK_NO_UNDO: "true" })), /PADDOCK_NO_UNDO/);
    const flag = [`${dir}/src`, `--undo-dir=${dir}/other`];
    assertEquals(said(await undoOf(flag, { PADDOCK_NO_UNDO: "true" })), "on", "a flag beats the environment");
  }));

Deno.test("loadConfig finds a directory's store again after the directory was renamed, and gives a different directory its own", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/src`);
    const args = [`--undo-dir=${dir}/undo`];
    const first = await undoOf([`${dir}/src`, ...args]);
    Deno.renameSync(`${dir}/src`, `${dir}/renamed`);
    assertEquals(await undoOf([`${dir}/renamed`, ...args]), first);
    Deno.mkdirSync(`${dir}/src`);
    const other = await undoOf([`${dir}/src`, ...args]);
    assert(first !== undefined && other !== undefined && "store" in first && "store" in other);
    assert(first.store !== other.store);
  }));

Deno.test({
  ...onUnix("loadConfig closes a store to other users if it was moved or created with a wider mode"),
  fn: () =>
    withTempDir(async (dir) => {
      Deno.mkdirSync(`${dir}/src`);
      const args = [`${dir}/src`, `--undo-dir=${dir}/undo`];
      const undo = await undoOf(args);
      assert(undo !== undefined && "store" in undo);
      Deno.chmodSync(undo.store, 0o755);
      assertEquals(said(await undoOf(args)), "on");
      assertEquals((Deno.statSync(undo.store).mode ?? 0) & 0o777, 0o700);
    }),
});

Deno.test("loadConfig reads the undo settings from a config file, and closes the stores to the roots around them", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/data`);
    const write = (undo: string) =>
      Deno.writeTextFileSync(
        `${dir}/c.yaml`,
        `${undo}\nroots: [{ name: d, path: data, allowed_tools: ["*"] }, { name: all, path: ., allowed_tools: ["*"] }]\n`,
      );
    const config = [`--config=${dir}/c.yaml`];
    write("");
    assertEquals(said(await undoOf(config)), "nothing");
    write("undo: false");
    assertMatch(said(await undoOf(config)), /turned off in the config file/);
    write('undo: { dir: records, keep_days: 7, max_mb: 5, max_change_mb: 2, exclude: ["*.log"] }');
    const loaded = rootsOf(await configOf(config));
    const undo = loaded.roots[0]?.undo;
    assert(undo !== undefined && "store" in undo);
    assertEquals([undo.keepDays, undo.maxBytes, undo.maxChangeBytes, undo.exclude], [
      7,
      5 * 1024 ** 2,
      2 * 1024 ** 2,
      ["*.log"],
    ]);
    assertEquals(loaded.closed?.map(({ path }) => path), [`${dir}/records`]);
    write("undo: { keep_days: 0 }");
    assertMatch((await mistakesOf(config)).join(), /undo: keep_days is 0, but must be/);
  }));

Deno.test("loadConfig says why changes cannot be recorded, and refuses to start if undo is required", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/src`);
    Deno.writeTextFileSync(`${dir}/file`, "");
    const bad = `--undo-dir=${dir}/file`;
    assertMatch(said(await undoOf([`${dir}/src`, bad])), /^the undo folder /);
    assertMatch(said(await undoOf([`${dir}/src`, `--undo-dir=${dir}`])), /the root lies in the undo folder/);
    assertMatch(
      (await mistakesOf([`${dir}/src`, bad, "--require-undo"])).join(),
      /^--require-undo cannot be met/,
    );
    const both = [`${dir}/src`, "--no-undo", "--require-undo"];
    assertMatch((await mistakesOf(both)).join(), /--require-undo is given with --no-undo/);
    const workspaces = [`--workspaces-root=${dir}/w`, "--transport=stdio", `--undo-dir=${dir}/u`];
    assertMatch((await mistakesOf(workspaces)).join(), /--undo-dir has no effect with --workspaces-root/);
  }));
