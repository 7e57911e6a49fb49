import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { UsageError } from "../../src/base/errors.ts";
import { VERSION } from "../../src/base/version.ts";
import { helpText } from "../../src/cli/flags.ts";
import { permittedEnv } from "../../src/cli/permissions.ts";
import { loadConfig } from "../../src/cli/resolve.ts";
import { configOf, httpOf, mistakesOf, ownConfigOf, rootsOf, withTempDir } from "./support.ts";

const TOKEN = "0123456789abcdef";

/** Fails the test if it is called. */
function noTools(): Promise<never> {
  return Promise.reject(new Error("the tool names were asked for"));
}

async function withConfigFile(lines: string, run: (args: string[], dir: string) => Promise<void>) {
  await withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/data`);
    Deno.writeTextFileSync(
      `${dir}/c.yaml`,
      `${lines}\nroots: [{ name: d, path: data, allowed_tools: ["*"] }]\n`,
    );
    await run([`--config=${dir}/c.yaml`], dir);
  });
}

Deno.test("loadConfig serves directories on stdio by default", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/a/src`, { recursive: true });
    Deno.mkdirSync(`${dir}/b/src`, { recursive: true });
    Deno.symlinkSync("a", `${dir}/link`);
    const loaded = await loadConfig({ args: [`${dir}/link/src`, `${dir}/b/src`], knownTools: noTools });
    assert(loaded.kind === "run");
    if (loaded.kind !== "run") return;
    const { host, ...config } = loaded.config;
    const undo = { off: "there is no home folder to record changes in; name a folder with --undo-dir" };
    assertEquals(config, {
      surface: {
        kind: "roots",
        roots: [
          {
            name: "src",
            path: `${dir}/a/src`,
            aliases: [`${dir}/link/src`], // clients may know it by this path
            allowedTools: ["*"],
            protectGit: true,
            undo,
          },
          { name: "src-2", path: `${dir}/b/src`, allowedTools: ["*"], protectGit: true, undo },
        ],
        maxFullReadSize: 1048576,
      },
      transport: { kind: "stdio" },
      maxSize: 10 * 1024 * 1024,
      timeoutMs: 10_000,
      readOnly: false,
      sandbox: true,
      logFormat: "text",
      logLevel: "info",
      callLogLevel: "info",
      configPath: undefined,
    });
    assertEquals(typeof host.umask, "number");
  }));

Deno.test("loadConfig serves a config file on http at port 8091, logging JSON, by default", () =>
  withConfigFile("", async (args, dir) => {
    const config = await configOf(args);
    assertEquals(httpOf(config), {
      kind: "http",
      host: "127.0.0.1",
      port: 8091,
      allowedHosts: [],
      corsOrigins: [],
      token: undefined,
    });
    assertEquals(
      [
        config.logFormat,
        config.logLevel,
        config.callLogLevel,
        config.configPath,
        rootsOf(config).maxFullReadSize,
      ],
      ["json", "info", "info", `${dir}/c.yaml`, 1048576],
    );
  }));

Deno.test("loadConfig obeys every flag", () =>
  withTempDir(async (dir) => {
    Deno.writeTextFileSync(`${dir}/token`, TOKEN);
    const config = await configOf([
      "--transport=http",
      "--port=9000",
      "--host=0.0.0.0",
      "--max-size=100",
      "--timeout=1",
      "--read-only",
      "--log-format=json",
      "--log-level=error",
      `--auth-token-file=${dir}/token`,
      "--allowed-hosts=a,b",
      "--cors-origin=http://c",
      "--no-search-cache",
      "--no-sandbox",
      dir,
    ]);
    assertEquals(httpOf(config), {
      kind: "http",
      host: "0.0.0.0",
      port: 9000,
      allowedHosts: ["a", "b"],
      corsOrigins: ["http://c"],
      token: TOKEN,
    });
    assertEquals(
      [config.maxSize, config.timeoutMs, config.readOnly, config.sandbox, config.logFormat, config.logLevel],
      [100 * 1024 * 1024, 1000, true, false, "json", "error"],
    );
    assertEquals(config.searchCacheBytes, 0);
  }));

Deno.test("loadConfig lets a flag beat the environment, which beats the file", () =>
  withConfigFile("port: 1001\ntransport: http\nread_only: true", async (args) => {
    assertEquals(httpOf(await configOf(args)).port, 1001);
    assertEquals(httpOf(await configOf(args, { PORT: "1002" })).port, 1002);
    assertEquals(httpOf(await configOf([...args, "--port=1003"], { PORT: "1002" })).port, 1003);
    assertEquals((await configOf(args, { MCP_TRANSPORT: "stdio" })).transport, { kind: "stdio" });
    assertEquals(
      httpOf(await configOf([...args, "--transport=http"], { MCP_TRANSPORT: "stdio" })).port,
      1001,
    );
    assertEquals((await configOf([...args, "--read-only=false"])).readOnly, false);
  }));

Deno.test("loadConfig lets the token of a flag beat the environment's, which beats the file's", () =>
  withConfigFile("auth_token_file: token", async (args, dir) => {
    Deno.writeTextFileSync(`${dir}/token`, `${TOKEN}-file`);
    Deno.writeTextFileSync(`${dir}/other`, `${TOKEN}-flag`);
    const variables = { PADDOCK_TOKEN: `${TOKEN}-env` };
    assertEquals(httpOf(await configOf(args)).token, `${TOKEN}-file`);
    assertEquals(httpOf(await configOf(args, variables)).token, `${TOKEN}-env`);
    const flag = `--auth-token-file=${dir}/other`;
    assertEquals(httpOf(await configOf([...args, flag], variables)).token, `${TOKEN}-flag`);
  }));

Deno.test("loadConfig refuses an empty token rather than serving without one", () =>
  withTempDir(async (dir) => {
    const [mistake = "", ...others] = await mistakesOf(["--transport=http", dir], { PADDOCK_TOKEN: "" });
    assertMatch(mistake, /^the environment variable PADDOCK_TOKEN is empty; it must be 16 to 4096/);
    assertEquals(others, []);
    assertEquals((await configOf([dir], { PADDOCK_TOKEN: "" })).transport, { kind: "stdio" });
  }));

Deno.test("loadConfig reads PORT only with http", () =>
  withTempDir(async (dir) => {
    assertEquals((await configOf([dir], { PORT: "tcp://10.0.0.1" })).transport, { kind: "stdio" });
    assertEquals(await mistakesOf([dir], { PORT: "tcp://10.0.0.1", MCP_TRANSPORT: "http" }), [
      'the environment variable PORT is "tcp://10.0.0.1", but must be a whole number from 1 to 65535; example: PORT=8091',
    ]);
  }));

Deno.test("loadConfig points out flags that only http has when stdio was not chosen explicitly", () =>
  withTempDir(async (dir) => {
    assertEquals(await mistakesOf(["--port=9000", dir]), [
      "--port has no effect on stdio, but must come with --transport=http; " +
      "example: paddock --transport=http --port=8091 .",
    ]);
    assertEquals((await configOf(["--port=9000", "--transport=stdio", dir])).transport, { kind: "stdio" });
    assertEquals((await configOf(["--port=9000", dir], { MCP_TRANSPORT: "stdio" })).transport, {
      kind: "stdio",
    });
  }));

Deno.test("loadConfig reports all mistakes in flags and directories together, one per directory", () =>
  withTempDir(async (dir) => {
    Deno.writeTextFileSync(`${dir}/file`, "");
    Deno.mkdirSync(`${dir}/real`);
    Deno.symlinkSync("real", `${dir}/link`);
    const args = [
      "--timeout=0",
      `${dir}/none`,
      `${dir}/file`,
      `${dir}/real`,
      `${dir}/link`,
      "--transport=http",
    ];
    const mistakes = await mistakesOf(args, { PADDOCK_TOKEN: "short" });
    assertEquals(mistakes.slice(0, -1), [
      '--timeout is "0", but must be a whole number from 1 to 300; example: --timeout=30',
      `directory "${dir}/none" does not exist, but must be an existing directory; example: paddock .`,
      `directory "${dir}/file" is not a directory, but must be an existing directory; example: paddock .`,
      `directory "${dir}/link" is the same as directory "${dir}/real", but must be another directory; ` +
      "example: paddock .",
    ]);
    assertStringIncludes(mistakes.at(-1) ?? "", "PADDOCK_TOKEN is only 5 characters long");
  }));

Deno.test("loadConfig refuses to run without anything to serve, or with two things", async () => {
  assertMatch((await mistakesOf([])).join("\n"), /^nothing to serve: .*examples:\n/);
  assertMatch(
    (await mistakesOf([".", "--config=c.yaml"])).join("\n"),
    /^the command line has "\." and --config=/,
  );
});

Deno.test("loadConfig answers --help and --version whatever else is wrong", async () => {
  const cases: [args: string[], kind: string, text: string][] = [
    [["--help"], "help", helpText()],
    [["-h", "--prot=1"], "help", helpText()],
    [["nope", "--port=x", "--help"], "help", helpText()],
    [["--version"], "version", `paddock ${VERSION}\n`],
    [["-V"], "version", `paddock ${VERSION}\n`],
  ];
  for (const [args, kind, text] of cases) {
    assertEquals<unknown>(await loadConfig({ args, knownTools: noTools }), { kind, text });
  }
});

Deno.test("loadConfig returns a configuration that is frozen throughout and can be cloned", () =>
  withConfigFile("cors_origins: ['http://a']\nallowed_hosts: [b]", async (args) => {
    const config = await ownConfigOf(args);
    const loose: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      if (!Object.isFrozen(value)) loose.push(path);
      for (const [key, part] of Object.entries(value)) visit(part, `${path}.${key}`);
    };
    visit(config, "config");
    assertEquals(loose, []);
    assertEquals(structuredClone(config), config);
    assertThrows(() => Object.assign(rootsOf(config).roots[0] ?? {}, { path: "/" }), TypeError);
  }));

Deno.test("loadConfig reads the file again when it is called again", () =>
  withConfigFile("read_only: true", async (args, dir) => {
    assertEquals((await configOf(args)).readOnly, true);
    Deno.writeTextFileSync(`${dir}/c.yaml`, "roots: [{ name: e, path: data, allowed_tools: [grep] }]");
    const config = await configOf(args);
    assertEquals([config.readOnly, rootsOf(config).roots.map((root) => root.name)], [false, ["e"]]);
    Deno.writeTextFileSync(`${dir}/c.yaml`, "");
    assertEquals((await mistakesOf(args)).length, 1);
  }));

const HERE = import.meta.dirname ?? ".";

Deno.test({
  name: "loadConfig runs with permission for its directory alone, and prompts for nothing",
  permissions: { read: [HERE] },
  async fn() {
    const loaded = await loadConfig({ args: [HERE], env: permittedEnv, knownTools: noTools });
    assertEquals(loaded.kind === "run" ? loaded.config.host : undefined, {
      users: [],
      groups: [],
      umask: 0o022,
    });
    assertEquals(permittedEnv("PATH"), undefined);
  },
});

Deno.test({
  name: "loadConfig says which permission a config file lacks",
  permissions: { read: [HERE] },
  async fn() {
    const args = ["--config=c.yaml"];
    const error: UsageError = await assertRejects(
      () => loadConfig({ args, knownTools: noTools }),
      UsageError,
    );
    assertEquals(error.mistakes.length, 1);
    assertStringIncludes(error.message, "--config needs the permission --allow-env=LOG_STREAM,LOG_TOKENS");
  },
});

Deno.test("resolve.ts loads neither yaml, zod nor @std/path before a config file is named", () => {
  const outside = new Set<string>();
  const seen = new Set<string>();
  const visit = (url: string) => {
    if (seen.has(url)) return;
    seen.add(url);
    const source = Deno.readTextFileSync(new URL(url)).replace(/^import type .*?;$/gms, "");
    for (const [, name = ""] of source.matchAll(/^(?:import|export) .*?from "([^"]+)";$/gms)) {
      if (name.startsWith(".")) visit(new URL(name, url).href);
      else outside.add(name);
    }
  };
  visit(new URL("../../src/cli/resolve.ts", import.meta.url).href);
  assertEquals([...outside], ["@std/cli/parse-args"]);
  assert(seen.size > 5);
});
