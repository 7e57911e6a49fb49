// What ten everyday jobs cost a model, side by side: calls, bytes of text that it reads, and what happened to the
// files. `deno task jobs` prints the table; --write puts it into docs/notes/model_jobs.md. No model takes part: the
// calls are fixed, so the figures are the same everywhere.

import { basename } from "@std/path/basename";
import { join } from "@std/path/join";
import { Agent, listBytes } from "./jobs/agent.ts";
import { listSizesTable } from "./jobs/list_sizes.ts";
import { type Job, JOBS } from "./jobs/mod.ts";
import { makeProject } from "./jobs/project.ts";
import { officialServer, paddock, type Server } from "./peers.ts";
import { StdioClient } from "./stdio_client.ts";

export interface Cost {
  readonly calls: number;
  readonly bytes: number;
  readonly damage: string;
}

export interface Row {
  readonly what: string;
  /** One for each server. */
  readonly costs: readonly Cost[];
}

/** Does every job, each on a fresh project with a fresh server. */
export async function measureJobs(servers: readonly Server[]): Promise<Row[]> {
  const rows: Row[] = [];
  const all = async (what: string, cost: (server: Server) => Promise<Cost>) => {
    const costs: Cost[] = [];
    for (const server of servers) costs.push(await cost(server));
    rows.push({ what, costs });
  };
  for (const job of JOBS) await all(job.what, (server) => costOf(job, server));
  await all("The list of tools, with every request", listCost);
  return rows;
}

/** paddock as `setup` starts it, with its records beside the project and not in anyone's home. */
export function compactPaddock(): Server {
  return withFlag("--text=compact");
}

/** paddock instead of the official server, with that server's scripts. */
export function classicPaddock(): Server {
  return { ...withFlag("--classic"), name: "paddock --classic", side: "peer" };
}

function withFlag(flag: string): Server {
  const server = paddock();
  const launch = (dir: string) => {
    const { command, args } = server.launch(dir);
    return { command, args: [...args, flag, `--undo-dir=${join(dir, "..", RECORDS)}`] };
  };
  return { ...server, launch };
}

export async function costOf(job: Job, server: Server): Promise<Cost> {
  return await inProject(async (dir) => {
    await using client = new StdioClient(server.launch(dir));
    await client.initialize();
    const agent = new Agent(client);
    if (server.side === "paddock") await job.paddock(agent, basename(dir));
    else await job.official(agent, (path) => join(dir, path));
    const damage = job.damage?.((path) => Deno.readTextFileSync(join(dir, path))) ?? "";
    return { calls: agent.calls, bytes: agent.bytesRead, damage };
  });
}

async function listCost(server: Server): Promise<Cost> {
  return await inProject(async (dir) => {
    await using client = new StdioClient(server.launch(dir));
    await client.initialize();
    return { calls: 0, bytes: await listBytes(client), damage: "" };
  });
}

const RECORDS = "records";

async function inProject<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "jobs-" }));
  try {
    const dir = join(folder, "shop");
    for (const made of [dir, join(folder, RECORDS)]) Deno.mkdirSync(made);
    makeProject(dir);
    return await use(dir);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function total(costs: readonly Cost[]): Cost {
  const damaged = costs.filter(({ damage }) => damage !== "").length;
  return {
    calls: costs.reduce((sum, { calls }) => sum + calls, 0),
    bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
    damage: damaged === 0 ? "" : `${damaged} jobs`,
  };
}

function table(rows: readonly Row[], servers: readonly Server[]): string {
  const totals = servers.map((_, i) => total(rows.flatMap(({ costs }) => costs[i] ?? [])));
  const cells = ({ calls, bytes, damage }: Cost) =>
    `${calls === 0 ? "" : calls} | ${bytes.toLocaleString("en")} | ${damage === "" ? "none" : damage}`;
  return [
    `| job | ${servers.map(({ name }) => `${name}: calls | bytes read | damage`).join(" | ")} |`,
    `| --- |${" ---: | ---: | --- |".repeat(servers.length)}`,
    ...[...rows, { what: "**All**", costs: totals }]
      .map(({ what, costs }) => `| ${what} | ${costs.map(cells).join(" | ")} |`),
  ].join("\n");
}

function page(rows: readonly Row[], servers: readonly Server[]): string {
  const peer = servers.at(-1)?.name;
  return `# What ten jobs cost a model

<!-- This page is written by \`deno task jobs --write\`. -->

Ten everyday jobs in a project of 100 files, done through paddock (started as \`setup\` does, with \`--text=compact\`),
through [\`paddock --classic\`](../guides/classic.md) and through ${peer}. The table shows how many calls each took, how
many bytes of the answers a model reads, and what was wrong with the files afterwards. The calls are fixed scripts
(bench/jobs), written as an agent that knows the tools would make them; no model takes part. \`deno task jobs\` repeats
them on your machine.

${table(rows, servers)}

## The lists of tools

Bytes of names, descriptions and input schemas as JSON, for each surface with all its tools. A test limits them to 60 %
of what the same tools took before, and to 590 bytes a tool on average. Only tools that some root allows are listed, and
\`--tools\` selects among them.

${listSizesTable()}
`;
}

async function main(): Promise<void> {
  const servers = [compactPaddock(), classicPaddock(), await officialServer(new AbortController().signal)];
  const rows = await measureJobs(servers);
  console.log(table(rows, servers));
  if (Deno.args.includes("--write")) {
    const file = join(import.meta.dirname ?? ".", "..", "docs", "notes", "model_jobs.md");
    Deno.writeTextFileSync(file, page(rows, servers));
  }
}

if (import.meta.main) await main();
