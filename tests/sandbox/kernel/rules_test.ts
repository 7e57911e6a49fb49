import { assertEquals } from "@std/assert";
import type { Config } from "../../../src/base/config.ts";
import { programFiles } from "../../../src/sandbox/kernel/program_files.ts";
import { kernelRulesFor, searchRulesFor, toolRulesFor } from "../../../src/sandbox/kernel/rules.ts";

const base: Config = {
  surface: {
    kind: "roots",
    roots: [
      { name: "a", path: "/a", allowedTools: ["*"], protectGit: true },
      { name: "b", path: "/b", allowedTools: ["read_file"], protectGit: true, readOnly: true },
    ],
    maxFullReadSize: 1,
  },
  transport: { kind: "stdio" },
  maxSize: 1,
  timeoutMs: 1,
  readOnly: false,
  sandbox: true,
  logFormat: "text",
  logLevel: "info",
  callLogLevel: "info",
  configPath: undefined,
  host: { users: [], groups: [], umask: 0o022 },
};
const http = {
  kind: "http",
  host: "::1",
  port: 8091,
  allowedHosts: [],
  corsOrigins: [],
  token: undefined,
} as const;
const program = ["/program", "/cache/npm"];

Deno.test("kernelRulesFor allows changing roots, and only reading the program and roots with reading tools", () => {
  assertEquals(kernelRulesFor(base, program), { write: ["/a"], read: ["/b"], program });
});

Deno.test("kernelRulesFor allows changing nothing with --read-only, except the file of events", () => {
  const acpEvents = { file: "/events", sessionId: "s" };
  assertEquals(kernelRulesFor({ ...base, readOnly: true }, []), {
    write: [],
    read: ["/a", "/b"],
    program: [],
  });
  assertEquals(kernelRulesFor({ ...base, readOnly: true, acpEvents }, []).write, ["/events"]);
  assertEquals(kernelRulesFor({ ...base, acpEvents: { ...acpEvents, file: "-" } }, []).write, ["/a"]);
});

Deno.test("kernelRulesFor has the listening port; tools alone and search workers have none", () => {
  const config = { ...base, transport: http };
  assertEquals(kernelRulesFor(config, []).port, 8091);
  assertEquals([toolRulesFor(config, []).port, searchRulesFor(config, []).port], [undefined, undefined]);
});

Deno.test("kernelRulesFor allows changing the one folder of the flat and workspaces surfaces", () => {
  for (
    const surface of [{ kind: "flat", dir: "/f" }, {
      kind: "workspaces",
      dir: "/f",
      toolNames: "plain",
    }] as const
  ) {
    assertEquals(kernelRulesFor({ ...base, surface }, []), { write: ["/f"], read: [], program: [] });
  }
});

Deno.test("searchRulesFor allows reading everything that is served, and changing nothing", () => {
  assertEquals(searchRulesFor(base, ["/p"]), { write: [], read: ["/a", "/b"], program: ["/p"] });
});

const CLONE = "file:///src/my%20paddock/main.ts";
const REGISTRY = "https://example.com/main.ts";

interface Place {
  main: string;
  env?: Record<string, string>;
  home?: string;
  folder?: string;
  standalone?: boolean;
}

const PROGRAMS: [name: string, place: Place, files: string[] | undefined][] = [
  ["an executable", { main: "file:///tmp/x/main.js", env: { HOME: "/x" }, standalone: true }, []],
  ["a clone", { main: CLONE, env: { HOME: "/home/u" } }, [
    "/src/my paddock",
    "/home/u/.cache/deno/npm",
    "/home/u/.cache/deno/gen",
  ]],
  [
    "a clone, with caches elsewhere",
    { main: CLONE, env: { HOME: "/home/u", XDG_CACHE_HOME: "/c" } },
    ["/src/my paddock", "/c/deno/npm", "/c/deno/gen"],
  ],
  [
    "a clone, with a cache below the starting folder",
    { main: CLONE, env: { HOME: "/home/u", DENO_DIR: "./cache" }, folder: "/a" },
    ["/src/my paddock", "/a/./cache/npm", "/a/./cache/gen"],
  ],
  [
    "a clone, with a cache below an unknown folder",
    { main: CLONE, env: { HOME: "/home/u", DENO_DIR: "cache" } },
    undefined,
  ],
  ["a clone, without HOME", { main: CLONE, home: "/root" }, [
    "/src/my paddock",
    "/root/.cache/deno/npm",
    "/root/.cache/deno/gen",
  ]],
  ["a clone, where nothing names a home", { main: CLONE }, undefined],
  [
    "a registry: all of the cache, and the folders around the starting folder",
    { main: REGISTRY, env: { DENO_DIR: "/d", HOME: "/h" }, folder: "/a/b" },
    ["/d", "/a/b/node_modules", "/a/node_modules"],
  ],
];

for (const [name, { main, env = {}, home, folder = "", standalone = false }, files] of PROGRAMS) {
  Deno.test(`programFiles returns ${JSON.stringify(files)} for ${name}`, () => {
    assertEquals(
      programFiles({ main, env: (name) => env[name], home: () => home, folder, standalone }),
      files,
    );
  });
}
