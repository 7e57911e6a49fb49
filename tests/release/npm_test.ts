/**
 * The npm packages as somebody installs them: from a registry and from files, into empty places. The packages are
 * those in the folder that PADDOCK_DIST names (`deno task release --dry-run` sets it).
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mainPackage, platformPackage } from "../../build/npm/packages.ts";
import { isTarget } from "../../build/targets.ts";
import { VERSION } from "../../src/base/version.ts";
import { type LocalNpm, localNpm, npmEnv, tarballOf } from "../support/local_npm.ts";
import { distFolder, needs } from "../support/needs.ts";
import { NO_UNDO_ENV } from "../support/no_undo.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

const withPackages = needs("packages in PADDOCK_DIST", "npm", "Unix");

/** A folder in which nobody can write, not even root. */
const UNWRITABLE = Deno.build.os === "linux" ? "/proc" : "/";

function packagesFolder(): string {
  return `${distFolder()}/npm`;
}

function ownPackage() {
  const { target } = Deno.build;
  assert(isTarget(target));
  return platformPackage(target);
}

interface Started {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Reads a file through a real client; returns its text. */
async function readThrough({ command, args, env }: Started, folder: TempFolder): Promise<string> {
  const path = Deno.env.get("PATH") ?? "";
  const transport = new StdioClientTransport({
    command,
    args: [...args, `${folder.path}/files`],
    env: { ...NO_UNDO_ENV, PATH: path, ...env },
    cwd: UNWRITABLE,
    stderr: "ignore",
  });
  const client = new Client({ name: "npm", version: "1" });
  await client.connect(transport);
  try {
    const result = await client.callTool({ name: "read_file", arguments: { root: "files", path: "a.txt" } });
    return (result.content as { text: string }[])[0]?.text ?? "";
  } finally {
    await client.close();
  }
}

async function npm(args: string[], env: Record<string, string>) {
  const { code, stderr } = await new Deno.Command("npm", { args, env, stdin: "null" }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
}

/** Sends a signal to a server that waits for its client; gives the exit code. It must say that it stopped by it. */
async function stoppedBy(signal: Deno.Signal, [command = "", ...args]: string[]): Promise<number> {
  const child = new Deno.Command(command, {
    args,
    env: NO_UNDO_ENV,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (!log.includes("server_starting") && (log + text).includes("server_starting")) child.kill(signal);
    log += text;
  }
  await child.stdin.close();
  assertMatch(log, new RegExp(`server_stopping.*${signal}[^]*server_stopped`));
  return (await child.status).code;
}

Deno.test(
  withPackages("npx serves a client in an empty folder, from a folder without write access"),
  async () => {
    using folder = tempFolder();
    folder.write("files/a.txt", "by npx\n");
    await using registry: LocalNpm = localNpm(packagesFolder());
    const env = npmEnv(registry, folder.path);
    assertEquals(await readThrough({ command: "npx", args: ["-y", "paddock-mcp"], env }, folder), "by npx\n");
    const fetched = folder.names().filter((name) => /node_modules\/@paddock-mcp\/[^/]+\/$/.test(name));
    assertEquals(fetched.length, 1, "the package of this system, and no other");
  },
);

Deno.test(
  withPackages("setup run by npx writes npx and the version, not the place where npx has put it"),
  async () => {
    using folder = tempFolder();
    await using registry = localNpm(packagesFolder());
    const { code, stdout, stderr } = await new Deno.Command("npx", {
      args: ["-y", "paddock-mcp", "setup", "cursor", folder.path],
      env: npmEnv(registry, folder.path),
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assertEquals(code, 0, decoder.decode(stderr));
    const { command, args } = JSON.parse(decoder.decode(stdout)).mcpServers.paddock;
    assertEquals([command, ...args.slice(0, 3)], ["npx", "-y", `paddock-mcp@${VERSION}`, folder.path]);
  },
);

Deno.test(
  withPackages(
    "packages installed from files work as a global command; if the one for this system is missing, it is named",
  ),
  async () => {
    using folder = tempFolder();
    folder.write("files/a.txt", "globally\n");
    await using registry = localNpm(`${folder.path}/nothing`);
    const env = npmEnv(registry, folder.path);
    const files = [ownPackage(), mainPackage()].map((json) => `${packagesFolder()}/${tarballOf(json)}`);
    await npm(["install", "--global", "--ignore-scripts", ...files], env);
    const bin = `${folder.path}/prefix/bin`;
    assertEquals(
      await readThrough({ command: `${bin}/paddock-mcp`, args: [], env: {} }, folder),
      "globally\n",
    );
    assertEquals(await readThrough({ command: `${bin}/paddock`, args: [], env: {} }, folder), "globally\n");

    const wrong = await new Deno.Command(`${bin}/paddock-mcp`, { args: ["--no-such-flag"] }).output();
    assertEquals(wrong.code, 1);
    assertStringIncludes(new TextDecoder().decode(wrong.stderr), 'unknown flag "--no-such-flag"');
    assertEquals(await stoppedBy("SIGTERM", [`${bin}/paddock-mcp`, `${folder.path}/files`]), 0);

    await npm(["uninstall", "--global", ownPackage().name], env);
    const { code, stderr } = await new Deno.Command(`${bin}/paddock-mcp`, { args: ["--version"] }).output();
    const said = new TextDecoder().decode(stderr);
    assertEquals(code, 1, said);
    assertStringIncludes(said, `the package ${ownPackage().name}@${VERSION} is missing`);
  },
);

Deno.test(
  withPackages(
    "the package that people install is a few KB without scripts, and the other one contains the executable",
  ),
  async () => {
    const [main, own] = [mainPackage(), ownPackage()].map((json) => `${packagesFolder()}/${tarballOf(json)}`);
    assert(Deno.statSync(main ?? "").size < 8_000);
    const { stdout } = await new Deno.Command("tar", { args: ["-tvzf", own ?? ""] }).output();
    assertMatch(new TextDecoder().decode(stdout), /^-rwxr-xr-x .* package\/bin\/paddock$/m);
    assertEquals("scripts" in mainPackage() || "scripts" in ownPackage(), false);
  },
);
