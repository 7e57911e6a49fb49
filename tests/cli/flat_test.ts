/** `--dir` on the command line: the flat surface. */
import { assertEquals, assertMatch } from "@std/assert";
import { onLinux, onUnix } from "../support/needs.ts";
import { configOf, httpOf, mistakesOf, withTempDir } from "./support.ts";

const WRITABLE = "but must be an existing, writable directory; example: paddock --dir=.";

Deno.test("loadConfig serves --dir on http at port 8080, logging text, by default", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/real`);
    Deno.symlinkSync("real", `${dir}/link`);
    const { host: _, transport, ...config } = await configOf([`--dir=${dir}/link`]);
    assertEquals(config, {
      surface: { kind: "flat", dir: `${dir}/real` },
      maxSize: 10 * 1024 * 1024,
      timeoutMs: 10_000,
      readOnly: false,
      sandbox: true,
      logFormat: "text",
      logLevel: "info",
      callLogLevel: "info",
      configPath: undefined,
    });
    assertEquals(transport, {
      kind: "http",
      host: "127.0.0.1",
      port: 8080,
      allowedHosts: [],
      corsOrigins: [],
      token: undefined,
    });
  }));

Deno.test("loadConfig serves --dir on stdio when asked to, by flag or environment", () =>
  withTempDir(async (dir) => {
    assertEquals((await configOf([`--dir=${dir}`, "--transport=stdio"])).transport, { kind: "stdio" });
    assertEquals((await configOf([`--dir=${dir}`], { MCP_TRANSPORT: "stdio" })).transport, { kind: "stdio" });
  }));

Deno.test("loadConfig accepts ports from 1024 on for --dir, by flag and by environment", () =>
  withTempDir(async (dir) => {
    const flag = `--dir=${dir}`;
    for (const port of [1024, 8080, 65535]) {
      assertEquals(httpOf(await configOf([flag, `--port=${port}`])).port, port);
      assertEquals(httpOf(await configOf([flag], { PORT: String(port) })).port, port);
    }
    const allowed = "but must be a whole number from 1024 to 65535 with --dir";
    for (const port of [1, 80, 1023]) {
      assertEquals(await mistakesOf([flag, `--port=${port}`]), [
        `--port is "${port}", ${allowed}; example: --port=8080`,
      ]);
      assertEquals(await mistakesOf([flag], { PORT: String(port) }), [
        `the environment variable PORT is "${port}", ${allowed}; example: PORT=8080`,
      ]);
    }
    for (const port of ["0", "65536", "-1", "http"]) {
      const [mistake = "", ...others] = await mistakesOf([flag, `--port=${port}`]);
      assertMatch(mistake, /^--port is ".*", but must be a whole number from 1 to 65535;/);
      assertEquals(others, []);
    }
  }));

Deno.test("loadConfig uses a PORT in the environment only with http, and a flag always", () =>
  withTempDir(async (dir) => {
    const stdio = [`--dir=${dir}`, "--transport=stdio"];
    assertEquals((await configOf(stdio, { PORT: "80" })).transport, { kind: "stdio" });
    assertEquals((await configOf([...stdio, "--port=8081"])).transport, { kind: "stdio" });
    assertMatch((await mistakesOf([...stdio, "--port=80"])).join(), /^--port is "80"/);
  }));

Deno.test("loadConfig refuses a --dir that is missing or a file, together with every other mistake", () =>
  withTempDir(async (dir) => {
    Deno.writeTextFileSync(`${dir}/file`, "");
    assertEquals(await mistakesOf([`--dir=${dir}/none`, "--max-size=0", "--timeout=301", "--port=1"]), [
      '--max-size is "0", but must be a whole number from 1 to 100; example: --max-size=20',
      '--timeout is "301", but must be a whole number from 1 to 300; example: --timeout=30',
      `--dir="${dir}/none" does not exist, ${WRITABLE}`,
      '--port is "1", but must be a whole number from 1024 to 65535 with --dir; example: --port=8080',
    ]);
    assertEquals(await mistakesOf([`--dir=${dir}/file`]), [
      `--dir="${dir}/file" is not a directory, ${WRITABLE}`,
    ]);
    assertEquals(await mistakesOf([`--dir=${dir}/file`, "--read-only"]), [
      `--dir="${dir}/file" is not a directory, but must be an existing directory; example: paddock --dir=.`,
    ]);
  }));

Deno.test(
  onUnix("loadConfig requires a writable --dir, unless it is read-only"),
  () =>
    withTempDir(async (dir) => {
      Deno.mkdirSync(`${dir}/closed`, { mode: 0o500 });
      const closed = `--dir=${dir}/closed`;
      if (Deno.uid() !== 0) { // root may write everywhere
        assertEquals(await mistakesOf([closed]), [`--dir="${dir}/closed" is not writable, ${WRITABLE}`]);
      }
      const { surface, readOnly } = await configOf([closed, "--read-only"]);
      assertEquals([surface, readOnly], [{ kind: "flat", dir: `${dir}/closed` }, true]);
    }),
);

Deno.test(onLinux("loadConfig refuses a --dir that the outer fence keeps closed"), async () => {
  const reason = "is in /proc, which the outer fence keeps closed";
  assertEquals(await mistakesOf(["--dir=/proc"]), [`--dir="/proc" ${reason}, ${WRITABLE}`]);
});

Deno.test("loadConfig refuses several surfaces at once, and examines none of them", async () => {
  for (
    const args of [["--dir=/none", "."], ["--dir=/none", "--config=c"], ["--dir=/none", "--config=c", "."]]
  ) {
    const mistakes = await mistakesOf(args);
    assertEquals(mistakes.length, 1);
    assertMatch(
      mistakes.join(),
      /^the command line has .*--dir="\/none", but must be only one of these: directories/,
    );
  }
});
