/** The program as `deno run jsr:…` gets it, from a registry on this machine: without deno.json, and from a URL. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { JSR_NAME, VERSION } from "../../src/base/version.ts";
import { cacheWith, SERVERS_PACKAGES } from "../support/deno_cache.ts";
import { localJsr } from "../support/local_jsr.ts";
import { needs } from "../support/needs.ts";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Elsewhere extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly env: Record<string, string>;
}

/** A folder with its own cache, and the registry. */
async function elsewhere(): Promise<Elsewhere> {
  const folder = tempFolder();
  const registry = await localJsr();
  await cacheWith(SERVERS_PACKAGES, `${folder.path}/cache`);
  folder.write("files/a.txt", "from afar\n");
  return {
    folder,
    env: {
      JSR_URL: registry.url,
      DENO_DIR: `${folder.path}/cache`,
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function run(args: string[], { folder, env }: Elsewhere) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...args],
    cwd: `${folder.path}/files`,
    env,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function readsOver(command: string[], { folder, env }: Elsewhere): Promise<string> {
  await using server = new TestServer([], { command, env, cwd: folder.path });
  await server.initialize();
  const { text } = await server.call("read_file", { root: "files", path: "a.txt" });
  assertEquals(await server.end(), 0);
  return text;
}

async function printsALineThatServes(place: Elsewhere): Promise<void> {
  const args = [`${place.folder.path}/files`, "--no-undo"];
  const { code, stderr } = await run(["-A", `jsr:${JSR_NAME}`, ...args], place);
  assertEquals(code, 1, stderr);
  const line = stderr.split("\n").find((line) => line.includes(" run -A ")) ?? "";
  assertStringIncludes(line, `--unstable-worker-options jsr:${JSR_NAME}@${VERSION} `);
  const command = line.trim().replace(/^(npx -y )?deno(@\S+)? /, `${Deno.execPath()} `).split(" ");
  assertEquals(await readsOver(command, place), "from afar\n");
}

async function setsUpAClient(place: Elsewhere): Promise<void> {
  const { folder } = place;
  const options = ["-A", "--unstable-worker-options", `jsr:${JSR_NAME}@${VERSION}`];
  const { code, stderr } = await run(
    [...options, "setup", "cursor", "--write", `--file=${folder.path}/mcp.json`, ".", "--", "--no-undo"],
    place,
  );
  assertEquals(code, 0, stderr);
  const { command, args } = JSON.parse(folder.read("mcp.json")).mcpServers.paddock;
  assert(args.includes(`jsr:${JSR_NAME}@${VERSION}`), args.join(" "));
  const here = command === "npx" ? [Deno.execPath(), ...args.slice(2)] : [command, ...args];
  assertEquals(await readsOver(here, place), "from afar\n");
}

Deno.test(
  needs("Linux", "no executable in PADDOCK_EXE")(
    "run from jsr: it prints a command line that works, worker options included, and setup writes one",
  ),
  async () => {
    await using place = await elsewhere();
    await printsALineThatServes(place);
    await setsUpAClient(place);
  },
);
