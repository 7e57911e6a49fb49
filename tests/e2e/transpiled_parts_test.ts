/** What is loaded later behind the kernel fence is in Deno's cache, although the fence keeps Deno from writing there. */
import { assert, assertEquals } from "@std/assert";
import { needs } from "../support/needs.ts";
import { MAIN, REPOSITORY, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

/** Files that are loaded for the first request, for the first call of a tool, and by the console. */
const LATER = ["transports/stdio_session.ts", "surfaces/roots/surface.ts", "console/view/viewer.ts"];

function denoDir(): string {
  const given = Deno.env.get("DENO_DIR");
  if (given) return given;
  return `${Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME")}/.cache`}/deno`;
}

for (const flags of [[], ["--unstable-lazy-dynamic-imports"]]) {
  Deno.test({
    ...needs("Landlock", "no executable in PADDOCK_EXE")(
      `a first start from the sources fills Deno's cache before the kernel fence goes up, with ${
        flags.join() || "no flags"
      }`,
    ),
    fn: async () => {
      using folder = tempFolder();
      const cache = `${folder.path}/cache`;
      Deno.mkdirSync(`${folder.path}/served`);
      Deno.mkdirSync(cache);
      Deno.symlinkSync(`${denoDir()}/npm`, `${cache}/npm`); // the packages are there already
      const isKept = (path: string) => {
        try {
          return Deno.statSync(`${cache}/gen/file${REPOSITORY}src/${path}.js`).isFile;
        } catch {
          return false;
        }
      };
      await using server = new TestServer([`${folder.path}/served`], {
        command: [Deno.execPath(), "run", "-A", ...flags, MAIN],
        env: { DENO_DIR: cache },
      });
      await server.initialize();
      await server.logged("server_starting");
      assert(server.log.includes("kernel (Landlock"), server.log);
      assertEquals(LATER.filter((path) => !isKept(path)), []);
    },
  });
}
