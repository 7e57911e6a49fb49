import { assertEquals } from "@std/assert";
import type { Config, HttpConfig } from "../../src/base/config.ts";
import { changedSettings, permissionsFor, toolPermissionsFor } from "../../src/sandbox/plan.ts";

const HTTP: HttpConfig = {
  kind: "http",
  host: "127.0.0.1",
  port: 8091,
  allowedHosts: [],
  corsOrigins: [],
  token: undefined,
};

const CONFIG: Config = {
  surface: {
    kind: "roots",
    roots: [{ name: "a", path: "/srv/a", allowedTools: ["*"], protectGit: true }],
    maxFullReadSize: 1_048_576,
  },
  transport: HTTP,
  maxSize: 10_485_760,
  timeoutMs: 10_000,
  readOnly: false,
  sandbox: true,
  logFormat: "text",
  logLevel: "info",
  callLogLevel: "info",
  configPath: "/etc/paddock.yaml",
  host: { users: [], groups: [], umask: 0o022 },
};

const CASES: [change: Partial<Config>, restart: string[], tools: string[]][] = [
  [{}, [], []],
  [{ surface: { kind: "roots", roots: [], maxFullReadSize: 1 } }, [], []],
  [{ transport: { ...HTTP, token: "secret", allowedHosts: ["x"], corsOrigins: ["http://x"] } }, [], []],
  [{ transport: { ...HTTP, port: 8092 } }, ["port"], []],
  [{ transport: { ...HTTP, host: "0.0.0.0", port: 8092 } }, ["host", "port"], []],
  [{ transport: { kind: "stdio" } }, ["transport"], []],
  [{ logFormat: "json", logLevel: "debug" }, ["log_format", "log_level"], []],
  [{ readOnly: true }, [], ["read_only"]],
  [{ maxSize: 1, timeoutMs: 1 }, [], ["max_size_mb", "timeout_seconds"]],
  [{ tools: ["read_file"] }, [], ["tools"]],
  [{ text: "compact" }, [], ["text"]],
  [{ text: "json" }, [], []],
  [{ console: true }, ["console"], []],
  [{ console: false }, [], []],
];

for (const [change, restart, tools] of CASES) {
  Deno.test(`changedSettings finds [${restart}] and [${tools}] in ${JSON.stringify(change)}`, () => {
    assertEquals(changedSettings(CONFIG, { ...CONFIG, ...change }), { restart, tools });
  });
}

Deno.test("toolPermissionsFor grants the directories, and no network", () => {
  assertEquals(toolPermissionsFor(CONFIG), { ...permissionsFor(CONFIG), net: false });
  assertEquals([toolPermissionsFor(CONFIG).read, toolPermissionsFor(CONFIG).write], [["/srv/a"], ["/srv/a"]]);
  assertEquals(toolPermissionsFor({ ...CONFIG, readOnly: true }).write, false);
});
