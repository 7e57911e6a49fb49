/**
 * Which surfaces an executable cannot serve, as `workspaces` or `workspaces,flat` on standard output, for `--without`:
 *
 *     deno run -A build/probe.ts dist/paddock-lite
 *
 * Each is started over stdio, and has to list its tools and answer one call of a tool that reads.
 */
import { SURFACES } from "../src/base/config.ts";

type Surface = typeof SURFACES[number];

interface Trial {
  readonly args: (folder: string) => string[];
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

const TRIALS: Record<Surface, Trial> = {
  roots: { args: (folder) => [folder], tool: "list_roots", arguments: {} },
  classic: { args: (folder) => ["--classic", folder], tool: "list_allowed_directories", arguments: {} },
  flat: { args: (folder) => [`--dir=${folder}`], tool: "list_files", arguments: {} },
  workspaces: { args: (folder) => [`--workspaces-root=${folder}`], tool: "workspace_list", arguments: {} },
};

const PATIENCE_MS = 60_000;

/** The surfaces that an executable does not serve. */
export async function unservedBy(executable: string): Promise<Surface[]> {
  const served = await Promise.all(SURFACES.map((surface) => serves(executable, TRIALS[surface])));
  return SURFACES.filter((_, i) => !served[i]);
}

async function serves(executable: string, trial: Trial): Promise<boolean> {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-probe-" });
  try {
    return await answers(executable, { ...trial, folder });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Whether it answers every request with a result, and then ends properly. */
async function answers(
  executable: string,
  { args, folder, ...trial }: Trial & { folder: string },
): Promise<boolean> {
  const child = new Deno.Command(executable, {
    args: [...args(folder), "--transport=stdio", "--no-undo"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const writer = child.stdin.getWriter();
  const lines = requestsOf(trial).map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
    .join("");
  await writer.write(new TextEncoder().encode(lines)).catch(() => {}); // it has ended already
  await writer.close().catch(() => {});
  const { success, stdout } = await child.output();
  clearTimeout(timer);
  const told = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  const results = told.map((line) => JSON.parse(line)).filter(({ result }) => result && !result.isError);
  return success && results.length === 3;
}

function requestsOf({ tool, arguments: given }: Omit<Trial, "args">): Record<string, unknown>[] {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "probe", version: "1" },
  };
  return [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: tool, arguments: given } },
  ];
}

if (import.meta.main) {
  const [executable] = Deno.args;
  if (executable === undefined) {
    console.error("error: no executable is given; example: deno run -A build/probe.ts dist/paddock-lite");
    Deno.exit(1);
  }
  console.log((await unservedBy(executable)).join(","));
}
