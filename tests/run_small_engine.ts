/**
 * `deno task test:small`: the end-to-end tests with servers that lack WebAssembly, Intl, Error.captureStackTrace and the
 * copying of unusual objects between threads (tests/support/small_engine.js), in main and in every Worker.
 * Arguments are passed on to `deno test`, in place of the folders.
 */
import { smallBundle } from "./support/small_bundle.ts";
import { REPOSITORY } from "./support/server.ts";

const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "paddock-small-" }));
try {
  const main = await smallBundle(folder);
  const given = Deno.args.length === 0 ? ["tests/e2e", "tests/support"] : Deno.args;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--lock=tests/deno.lock", "--no-check", "--parallel", ...given],
    cwd: REPOSITORY,
    env: { PADDOCK_MAIN: main, PADDOCK_EXE: "" },
    stdin: "null",
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  Deno.removeSync(folder, { recursive: true });
}
