import { assertEquals } from "@std/assert";
import type { ClientName } from "../../../src/cli/subcommands.ts";
import { CLIENT_RECORDS, type Place } from "../../../src/commands/setup/clients.ts";
import { commandWithWorkerOptions, serverCommand, typedCommand } from "../../../src/base/program.ts";
import { VERSION } from "../../../src/base/version.ts";

const UNIX = { HOME: "/home/ann" };
const WINDOWS = { USERPROFILE: "C:\\Users\\ann", APPDATA: "C:\\Users\\ann\\AppData\\Roaming" };

const FILES: [client: ClientName, os: Place["os"], env: Record<string, string>, file: string | undefined][] =
  [
    ["claude-desktop", "linux", UNIX, "/home/ann/.config/Claude/claude_desktop_config.json"],
    [
      "claude-desktop",
      "darwin",
      UNIX,
      "/home/ann/Library/Application Support/Claude/claude_desktop_config.json",
    ],
    [
      "claude-desktop",
      "windows",
      WINDOWS,
      "C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    ],
    ["claude-code", "linux", {}, ".mcp.json"],
    ["cursor", "linux", UNIX, "/home/ann/.cursor/mcp.json"],
    ["cursor", "windows", WINDOWS, "C:\\Users\\ann\\.cursor\\mcp.json"],
    ["vscode", "linux", { ...UNIX, XDG_CONFIG_HOME: "/cfg/" }, "/cfg/Code/User/mcp.json"],
    ["vscode", "linux", { ...UNIX, XDG_CONFIG_HOME: "relative" }, "/home/ann/.config/Code/User/mcp.json"],
    ["vscode", "darwin", UNIX, "/home/ann/Library/Application Support/Code/User/mcp.json"],
    ["zed", "linux", UNIX, "/home/ann/.config/zed/settings.json"],
    ["zed", "darwin", { ...UNIX, XDG_CONFIG_HOME: "/cfg" }, "/home/ann/.config/zed/settings.json"],
    ["zed", "windows", WINDOWS, "C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json"],
    ["windsurf", "linux", UNIX, "/home/ann/.codeium/windsurf/mcp_config.json"],
    ["gemini-cli", "linux", { HOME: "" }, undefined],
    ["gemini-cli", "darwin", UNIX, "/home/ann/.gemini/settings.json"],
    ["codex", "linux", UNIX, "/home/ann/.codex/config.toml"],
    ["codex", "windows", WINDOWS, "C:\\Users\\ann\\.codex\\config.toml"],
    ["codex", "linux", { ...UNIX, CODEX_HOME: "/opt/codex" }, "/opt/codex/config.toml"],
    [
      "cline",
      "linux",
      UNIX,
      "/home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ],
    ["continue", "linux", UNIX, "/home/ann/.continue/config.yaml"],
    ["jetbrains", "windows", WINDOWS, "C:\\Users\\ann\\.junie\\mcp\\mcp.json"],
  ];

for (const [client, os, env, file] of FILES) {
  Deno.test(`CLIENT_RECORDS.${client} keeps its file at ${file} on ${os}`, () => {
    assertEquals(CLIENT_RECORDS[client].file({ os, env: (name) => env[name] }), file);
  });
}

const PROGRAM = {
  standalone: false,
  executable: "/bin/deno",
  mainModule: "file:///opt/my%20paddock/main.ts",
  denoVersion: "2.9.6",
  os: "linux",
} as const;
const LITTLE_MEMORY = "--v8-flags=--max-semi-space-size=1";
const READ_LATER = "--unstable-lazy-dynamic-imports";
const RUN = ["run", "-A", LITTLE_MEMORY, READ_LATER, "/opt/my paddock/main.ts", "/data"];

const PROGRAMS: [name: string, program: Partial<Parameters<typeof serverCommand>[0]>, command: string[]][] = [
  ["Deno runs it", {}, ["/bin/deno", ...RUN]],
  ["it is a compiled executable", { standalone: true, executable: "/bin/paddock" }, [
    "/bin/paddock",
    "/data",
  ]],
  ["npx has fetched Deno", { executable: "/home/ann/.npm/_npx/1a/node_modules/deno/deno" }, [
    "npx",
    "-y",
    "deno@2.9.6",
    ...RUN,
  ]],
  ["npx has fetched Deno on Windows, where it is a script", {
    os: "windows",
    executable: "C:\\npm\\_npx\\1a\\node_modules\\deno\\deno.exe",
    mainModule: "file:///C:/paddock/main.ts",
  }, [
    "cmd",
    "/c",
    "npx",
    "-y",
    "deno@2.9.6",
    "run",
    "-A",
    LITTLE_MEMORY,
    READ_LATER,
    "C:\\paddock\\main.ts",
    "/data",
  ]],
  ...["jsr:@paddock/paddock", "jsr:@paddock/paddock@^0.1", "https://x.example/@paddock/paddock/0.1.0/main.ts"]
    .map((
      mainModule,
    ): typeof PROGRAMS[number] => [`it comes from a registry as ${mainModule}`, { mainModule }, [
      "/bin/deno",
      "run",
      "-A",
      "--no-prompt",
      "--unstable-worker-options",
      LITTLE_MEMORY,
      `jsr:@paddock/paddock@${VERSION}`,
      "/data",
    ]]),
  ["it comes from somewhere else", { mainModule: "https://x.example/main.ts" }, [
    "/bin/deno",
    "run",
    "-A",
    "--no-prompt",
    "--unstable-worker-options",
    LITTLE_MEMORY,
    "https://x.example/main.ts",
    "/data",
  ]],
  ["npx has fetched it as an executable", {
    standalone: true,
    executable: "/home/ann/.npm/_npx/1a/node_modules/@paddock-mcp/linux-x64/bin/paddock",
  }, ["npx", "-y", `paddock-mcp@${VERSION}`, "/data"]],
  ["it is run on Windows", { os: "windows", mainModule: "file:///C:/my%20paddock/main.ts" }, [
    "/bin/deno",
    "run",
    "-A",
    LITTLE_MEMORY,
    READ_LATER,
    "C:\\my paddock\\main.ts",
    "/data",
  ]],
];

for (const [name, program, expected] of PROGRAMS) {
  Deno.test(`serverCommand starts the same program again when ${name}`, () => {
    const { command, args } = serverCommand({ ...PROGRAM, ...program }, ["/data"]);
    assertEquals([command, ...args], expected);
  });
}

Deno.test("typedCommand is what a person types, with names quoted where a shell needs it", () => {
  assertEquals(typedCommand(PROGRAM, ["it's"]), `deno run -A '/opt/my paddock/main.ts' 'it'\\''s'`);
  assertEquals(typedCommand({ ...PROGRAM, standalone: true, executable: "/x/paddock" }), "paddock");
  const npx = { ...PROGRAM, standalone: true, executable: "/x/_npx/1/paddock" };
  assertEquals(typedCommand(npx, ["."]), "npx -y paddock-mcp .");
});

Deno.test("commandWithWorkerOptions has the flag once, before the program's name", () => {
  assertEquals(
    commandWithWorkerOptions({ ...PROGRAM, mainModule: "file:///main.ts" }, ["a"]),
    "deno run -A --unstable-worker-options /main.ts a",
  );
  assertEquals(
    commandWithWorkerOptions({ ...PROGRAM, mainModule: "https://x.example/main.ts" }, []),
    "deno run -A --no-prompt --unstable-worker-options https://x.example/main.ts",
  );
});
