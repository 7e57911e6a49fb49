/**
 * The official filesystem server, run by Node as its users run it: under Deno the texts of some errors and the order
 * of listings differ. Its packages are those of the tests' lock file, from Deno's cache, linked into a folder where
 * Node finds them.
 */
import { REPOSITORY, TestServer } from "../../support/server.ts";

const PACKAGE = "@modelcontextprotocol/server-filesystem";
const VERSION = "2026.8.31";
const FETCHED_BY = `${REPOSITORY}tests/packages/official_filesystem.ts`;
const LOCK = `${REPOSITORY}tests/deno.lock`;

/** Returns the server's script; `folder` gets the packages. */
export async function installOfficial(folder: string): Promise<string> {
  const name = `npm:${PACKAGE}@${VERSION}`;
  const lock = JSON.parse(Deno.readTextFileSync(LOCK)) as Record<string, Record<string, string>>;
  const specifiers = Object.entries(lock.specifiers ?? {}).filter(([specifier]) => specifier === name);
  if (specifiers.length !== 1) throw new Error(`${name} is not in tests/deno.lock`);
  Deno.writeTextFileSync(
    `${folder}/deno.lock`,
    JSON.stringify({
      version: lock.version,
      specifiers: Object.fromEntries(specifiers),
      npm: lock.npm,
      workspace: { dependencies: [name] },
    }),
  );
  const config = { nodeModulesDir: "auto", imports: { official: name } };
  Deno.writeTextFileSync(`${folder}/deno.json`, JSON.stringify(config));
  await deno(["cache", "--quiet", `--lock=${LOCK}`, FETCHED_BY], REPOSITORY); // downloaded the first time
  await deno(["install", "--quiet", "--cached-only"], folder);
  return `${folder}/node_modules/${PACKAGE}/dist/index.js`;
}

async function deno(args: string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd, stdin: "null" }).output();
  if (!success) throw new Error(`deno ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
}

export async function startOfficial(script: string, directories: string[]): Promise<TestServer> {
  const server = new TestServer(directories, { command: ["node", script] });
  await server.initialize();
  return server;
}

export async function startClassic(directories: string[], flags: string[] = []): Promise<TestServer> {
  const server = new TestServer(["--classic", "--log-level=warn", ...flags, ...directories]);
  await server.initialize();
  return server;
}
