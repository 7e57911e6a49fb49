/** `--workspaces-root` on the command line and in the environment: the workspaces surface. */
import { assertEquals, assertMatch } from "@std/assert";
import { configOf, httpOf, mistakesOf, withTempDir } from "./support.ts";

const STDIO = "--transport=stdio";

Deno.test("loadConfig serves --workspaces-root with calls logged at debug, as text", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/real`);
    Deno.symlinkSync("real", `${dir}/link`);
    const { host: _, ...config } = await configOf([STDIO, `--workspaces-root=${dir}/link`]);
    assertEquals(config, {
      surface: { kind: "workspaces", dir: `${dir}/real`, toolNames: "plain" },
      transport: { kind: "stdio" },
      maxSize: 10 * 1024 * 1024,
      timeoutMs: 10_000,
      readOnly: false,
      sandbox: true,
      logFormat: "text",
      logLevel: "info",
      callLogLevel: "debug",
      configPath: undefined,
    });
  }));

Deno.test("loadConfig takes the workspaces root, transport and port from the environment unless flags give them", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/other`);
    const env = { WORKSPACES_ROOT: dir, MCP_TRANSPORT: "http" };
    const config = await configOf([], env);
    assertEquals(config.surface, { kind: "workspaces", dir, toolNames: "plain" });
    assertEquals(httpOf(config).port, 8080);
    assertEquals(httpOf(await configOf([], { ...env, PORT: "9000" })).port, 9000);
    assertEquals(httpOf(await configOf(["--port=9001"], { ...env, PORT: "9000" })).port, 9001);
    const flags = await configOf([STDIO, `--workspaces-root=${dir}/other`, "--tool-names=slash"], env);
    assertEquals(flags.surface, { kind: "workspaces", dir: `${dir}/other`, toolNames: "slash" });
    assertEquals(flags.transport, { kind: "stdio" });
  }));

Deno.test("loadConfig prefers what the command line serves over WORKSPACES_ROOT", () =>
  withTempDir(async (dir) => {
    assertEquals((await configOf([dir], { WORKSPACES_ROOT: dir })).surface.kind, "roots");
    assertEquals((await configOf([`--dir=${dir}`], { WORKSPACES_ROOT: dir })).surface.kind, "flat");
  }));

Deno.test("loadConfig requires a transport with --workspaces-root, and gives examples", () =>
  withTempDir(async (dir) => {
    for (const [args, env] of [[[`--workspaces-root=${dir}`], {}], [[], { WORKSPACES_ROOT: dir }]] as const) {
      assertEquals(await mistakesOf(args, env), [
        "--transport (or the environment variable MCP_TRANSPORT) is missing, but must be stdio or http with " +
        "--workspaces-root; examples:\n  paddock --transport=stdio --workspaces-root=./data\n  " +
        "paddock --transport=http --port=8080 --workspaces-root=./data",
      ]);
    }
    assertEquals((await mistakesOf(["--transport=tcp", `--workspaces-root=${dir}`])).length, 1);
  }));

Deno.test("loadConfig creates a missing workspaces root, but nothing above it", () =>
  withTempDir(async (dir) => {
    const { surface } = await configOf([STDIO, `--workspaces-root=${dir}/new`]);
    assertEquals(surface, { kind: "workspaces", dir: `${dir}/new`, toolNames: "plain" });
    assertMatch(
      (await mistakesOf([STDIO, `--workspaces-root=${dir}/a/b`])).join(),
      /^--workspaces-root=".*\/a\/b" does not exist, but must be a writable directory, or a new one inside an existing one;/,
    );
    await mistakesOf([`--workspaces-root=${dir}/other`]);
    await mistakesOf([STDIO, "--timeout=0", `--workspaces-root=${dir}/other`]);
    await mistakesOf([STDIO, "--read-only", `--workspaces-root=${dir}/other`]);
    assertEquals([...Deno.readDirSync(dir)].map(({ name }) => name), ["new"]);
  }));

Deno.test("loadConfig refuses a workspaces root that is a file, and says which setting named it", () =>
  withTempDir(async (dir) => {
    Deno.writeTextFileSync(`${dir}/file`, "");
    assertMatch(
      (await mistakesOf([STDIO], { WORKSPACES_ROOT: `${dir}/file` })).join(),
      /^the environment variable WORKSPACES_ROOT is ".*\/file", which is not a directory, but must be /,
    );
    assertMatch(
      (await mistakesOf([STDIO, `--workspaces-root=${dir}`, "."])).join(),
      /^the command line has "\." and --workspaces-root=/,
    );
  }));
