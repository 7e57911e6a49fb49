/** `--classic` on the command line: the official server's surface. */
import { assertEquals, assertMatch } from "@std/assert";
import type { ClassicSurfaceConfig, Config } from "../../src/base/config.ts";
import { onUnix } from "../support/needs.ts";
import { configOf, mistakesOf, withTempDir } from "./support.ts";

function classicOf({ surface }: Config): ClassicSurfaceConfig {
  if (surface.kind !== "classic") throw new Error(`expected classic, not ${surface.kind}`);
  return surface;
}

Deno.test("loadConfig serves the directories of --classic on stdio by default, and on http when asked to", () =>
  withTempDir(async (dir) => {
    for (const args of [["--classic", dir], [dir, "--classic"]]) {
      const config = await configOf(args);
      assertEquals([config.surface.kind, config.transport], ["classic", { kind: "stdio" }]);
    }
    const { transport } = await configOf(["--classic", "--transport=http", dir]);
    assertEquals([transport.kind, "port" in transport && transport.port], ["http", 8091]);
  }));

Deno.test(
  onUnix("loadConfig knows a directory of --classic by its real path, and by the name it was given"),
  () =>
    withTempDir(async (dir) => {
      Deno.mkdirSync(`${dir}/real/sub`, { recursive: true });
      Deno.symlinkSync("real", `${dir}/link`);
      const roots = async (...given: string[]) =>
        classicOf(await configOf(["--classic", ...given])).roots
          .map(({ name, path, given = "" }) => [name, path, given]);
      assertEquals(await roots(`${dir}/real/./sub/..`), [["real", `${dir}/real`, ""]]);
      assertEquals(await roots(`${dir}/link/`), [
        ["link", `${dir}/real`, `${dir}/link`],
      ]);
      // By names alone this would be a different folder from the one that the system finds.
      Deno.symlinkSync(`${dir}/real/sub`, `${dir}/deep`);
      assertEquals(await roots(`${dir}/deep/../sub`), [["sub", `${dir}/real/sub`, ""]]);
    }),
);

Deno.test(
  onUnix("loadConfig expands ~ in directories of --classic, which no shell has expanded"),
  () =>
    withTempDir(async (dir) => {
      Deno.mkdirSync(`${dir}/notes`);
      const { roots, home } = classicOf(await configOf(["--classic", "~/notes"], { HOME: dir }));
      assertEquals([roots[0]?.path, home], [`${dir}/notes`, dir]);
      assertEquals(classicOf(await configOf(["--classic", dir], { HOME: "relative" })).home, undefined);
      for (const given of ["~", "~someone/notes"]) {
        assertMatch((await mistakesOf(["--classic", given])).join(), /^directory "~/);
      }
    }),
);

Deno.test("loadConfig does not start the classic surface unless all its directories exist, each given once", () =>
  withTempDir(async (dir) => {
    assertMatch((await mistakesOf(["--classic"])).join(), /^nothing to serve/);
    assertMatch((await mistakesOf(["--classic", dir, `${dir}/nope`])).join(), /nope.* does not exist/);
    assertMatch((await mistakesOf(["--classic", dir, `${dir}/.`])).join(), /is the same as/);
  }));

Deno.test("loadConfig refuses other surfaces and flags without effect together with --classic", () =>
  withTempDir(async (dir) => {
    for (const other of [`--dir=${dir}`, `--workspaces-root=${dir}`, "--config=c.yaml"]) {
      assertMatch((await mistakesOf(["--classic", other])).join(), /^--classic is given with --/);
      assertMatch((await mistakesOf(["--classic", dir, other])).join(), /^--classic is given with "/);
    }
    assertMatch(
      (await mistakesOf(["--classic", dir, "--text=compact"])).join(),
      /^--text has no effect with --classic/,
    );
    assertMatch((await mistakesOf(["--classic", dir, "--acp-events=-"])).join(), /no effect with --classic/);
    assertMatch((await mistakesOf(["--classic", dir, "--tools=nope"])).join(), /list_allowed_directories/);
  }));
