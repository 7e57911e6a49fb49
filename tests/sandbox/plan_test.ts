import { assertEquals } from "@std/assert";
import type { Config, HttpConfig, SurfaceConfig } from "../../src/base/config.ts";
import {
  chooseFence,
  covers,
  type Fence,
  permissionsFor,
  searchPermissionsOf,
  type Surroundings,
  WATCHED,
} from "../../src/sandbox/plan.ts";
import { onUnix } from "../support/needs.ts";

function root(name: string, path: string) {
  return { name, path, allowedTools: ["*"], protectGit: true };
}

const ROOTS: SurfaceConfig = {
  kind: "roots",
  roots: [root("a", "/srv/a"), root("b", "/srv/b c")],
  maxFullReadSize: 1_048_576,
};

const CONFIG: Config = {
  surface: ROOTS,
  transport: { kind: "stdio" },
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

function http(host: string, port: number): HttpConfig {
  return { kind: "http", host, port, allowedHosts: ["files.example.com"], corsOrigins: [], token: "secret" };
}

const NOTHING = { net: false, env: false, run: false, ffi: false, sys: false, import: false } as const;
const DIRS = ["/srv/a", "/srv/b c"];

const PERMISSIONS: [name: string, config: Partial<Config>, permissions: Deno.PermissionOptionsObject][] = [
  ["roots over stdio", {}, { ...NOTHING, read: DIRS, write: DIRS }],
  ["read-only roots", { readOnly: true }, { ...NOTHING, read: DIRS, write: false }],
  [
    "events in a file",
    { acpEvents: { file: "/run/events.jsonl", sessionId: "s" } },
    { ...NOTHING, read: DIRS, write: [...DIRS, "/run/events.jsonl"] },
  ],
  [
    "events of read-only roots",
    { readOnly: true, acpEvents: { file: "/run/events.jsonl", sessionId: "s" } },
    { ...NOTHING, read: DIRS, write: ["/run/events.jsonl"] },
  ],
  [
    "events on standard error",
    { acpEvents: { file: "-", sessionId: "s" } },
    { ...NOTHING, read: DIRS, write: DIRS },
  ],
  [
    "roots over http",
    { transport: http("127.0.0.1", 8091) },
    { ...NOTHING, read: DIRS, write: DIRS, net: ["127.0.0.1:8091"] },
  ],
  [
    "roots on an IPv6 address",
    { transport: http("::1", 8091) },
    { ...NOTHING, read: DIRS, write: DIRS, net: ["[::1]:8091"] },
  ],
  [
    "roots on every address",
    { transport: http("0.0.0.0", 80) },
    { ...NOTHING, read: DIRS, write: DIRS, net: ["0.0.0.0:80"] },
  ],
  [
    "the flat surface",
    { surface: { kind: "flat", dir: "/srv/flat" } },
    { ...NOTHING, read: ["/srv/flat"], write: ["/srv/flat"] },
  ],
];

for (const [name, changes, permissions] of PERMISSIONS) {
  Deno.test(`permissionsFor grants the directories, the one address and nothing else for ${name}`, () => {
    assertEquals(permissionsFor({ ...CONFIG, ...changes }), permissions);
  });
}

Deno.test("permissionsFor grants nothing without limits, whatever the configuration", () => {
  for (const [name, changes] of PERMISSIONS) {
    for (const [permission, granted] of Object.entries(permissionsFor({ ...CONFIG, ...changes }))) {
      assertEquals(granted === false || Array.isArray(granted), true, `${permission} for ${name}`);
    }
  }
});

Deno.test("searchPermissionsOf keeps reading the directories and nothing else", () => {
  for (const [name, changes] of PERMISSIONS) {
    const permissions = permissionsFor({ ...CONFIG, ...changes });
    const { read, ...others } = searchPermissionsOf(permissions);
    assertEquals(read, permissions.read, name);
    assertEquals(new Set(Object.values(others)), new Set([false]), name);
  }
});

const COVERED: [given: string[], wanted: string[], covered: boolean][] = [
  [["/srv/a"], ["/srv/a"], true],
  [["/srv/a"], ["/srv/a/b/c"], true],
  [["/srv/a", "/srv/b"], ["/srv/b", "/srv/a/x"], true],
  [["/"], ["/srv"], true],
  [["/srv/a"], [], true],
  [["/srv/a"], ["/srv/a_evil"], false],
  [["/srv/a"], ["/srv"], false],
  [["/srv/a"], ["/"], false],
  [["/srv/a"], ["/srv/a", "/srv/b"], false],
  [[], ["/srv/a"], false],
];

for (const [given, wanted, covered] of COVERED) {
  Deno.test({
    ...onUnix(`covers is ${covered} when [${given}] is granted and [${wanted}] is wanted`),
    fn: () => assertEquals(covers({ read: given, write: [] }, { read: wanted, write: [] }), covered),
  });
}

const ALL = WATCHED;

const FENCES: [surroundings: Surroundings, fence: Fence | undefined][] = [
  [{ workerOptions: true, unlimited: ALL, refused: false }, "worker"],
  [{ workerOptions: false, unlimited: ALL, refused: false }, undefined],
  [{ workerOptions: true, unlimited: [], refused: false }, "process"],
  [{ workerOptions: false, unlimited: [], refused: false }, "process"],
  [{ workerOptions: true, unlimited: ALL, refused: true }, "none"],
  [{ workerOptions: false, unlimited: ALL, refused: true }, "none"],
  ...ALL.flatMap((name): [Surroundings, Fence | undefined][] => [
    [{ workerOptions: true, unlimited: [name], refused: false }, "worker"],
    [{ workerOptions: false, unlimited: [name], refused: false }, undefined],
  ]),
];

for (const [surroundings, fence] of FENCES) {
  const { workerOptions, unlimited, refused } = surroundings;
  const when = `${workerOptions ? "with" : "without"} worker options, unlimited ${
    unlimited.join(", ") || "nothing"
  }, ${refused ? "" : "not "}refused`;
  Deno.test(`chooseFence chooses ${fence} when ${when}`, () => {
    assertEquals(chooseFence(surroundings), fence);
  });
}

Deno.test("permissionsFor grants the undo stores of the server's roots, and no others", () => {
  const limits = { keepDays: 1, maxBytes: 1, maxChangeBytes: 1, exclude: [], required: false };
  const roots = [
    { ...root("a", "/srv/a"), undo: { store: "/state/paddock/a-1", ...limits } },
    { ...root("b", "/srv/b"), undo: { off: "no home" } },
  ];
  const { read, write } = permissionsFor({
    ...CONFIG,
    surface: { kind: "roots", roots, maxFullReadSize: 1 },
  });
  assertEquals([read, write], [
    ["/srv/a", "/srv/b", "/state/paddock/a-1"],
    ["/srv/a", "/srv/b", "/state/paddock/a-1"],
  ]);
});
