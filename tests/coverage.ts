/**
 * What `deno task coverage` runs: the tests of the flat surface and of what it uses, and then the share of lines they
 * reach, by the categories of its specification (section 6.4). The exit code is 1 if one falls below its minimum.
 *
 * The tests run the real server as a child; DENO_COVERAGE_DIR makes it record what it reached as well, as long as it
 * ends normally. What runs in the Worker behind the fence is lost with the Worker, so the server runs without the
 * fence here, in the process itself.
 */
import { MAIN, REPOSITORY } from "./support/server.ts";

interface Category {
  readonly name: string;
  /** In percent of lines. */
  readonly minimum: number;
  /** Below src/. */
  readonly files: readonly string[];
}

export const CATEGORIES: readonly Category[] = [
  {
    name: "input_validation",
    minimum: 100,
    files: [
      "surfaces/flat/names.ts",
      "surfaces/flat/checks.ts",
      "surfaces/flat/schemas.ts",
      "text/utf8.ts",
      "transports/http/body.ts",
    ],
  },
  {
    name: "mcp_tools",
    minimum: 95,
    files: [
      "surfaces/flat/folder.ts",
      "surfaces/flat/words.ts",
      "surfaces/flat/surface.ts",
      "surfaces/flat/rest_face.ts",
      "surfaces/flat/tools/list_files.ts",
      "surfaces/flat/tools/read_file.ts",
      "surfaces/flat/tools/edit_file.ts",
      "engine/edit.ts",
      "engine/line_counts.ts",
      "engine/transient.ts",
      "engine/read.ts",
      "text/lines.ts",
      "text/line_blocks.ts",
      "text/line_edits.ts",
    ],
  },
  {
    name: "concurrency",
    minimum: 90,
    files: [
      "engine/locks.ts",
      "engine/update_file.ts",
      "engine/atomic_write.ts",
      "engine/temp_sweeper.ts",
      "engine/yield.ts",
      "server/scheduler.ts",
    ],
  },
  {
    name: "mcp_protocol",
    minimum: 95,
    files: [
      "server/mcp.ts",
      "tools/registry.ts",
      "tools/tool.ts",
      "transports/rest.ts",
      "transports/stdio.ts",
      "transports/stdio_listener.ts",
      "transports/line_reader.ts",
      "transports/line_writer.ts",
      "transports/messages.ts",
      "transports/early_refusals.ts",
      "transports/batches.ts",
      "transports/http_listener.ts",
      "transports/streamable_http.ts",
      "transports/http/session.ts",
      "transports/http/session_table.ts",
    ],
  },
];

/** The tests whose coverage is measured. */
const TESTS = [
  "tests/e2e/flat",
  "tests/surfaces/flat",
  ...["atomic_write", "edit", "line_counts", "locks", "read", "temp_sweeper", "transient", "update_file"]
    .map((name) => `tests/engine/${name}_test.ts`),
  ...["line_edits", "line_edits_property", "lines", "utf8"].map((name) => `tests/text/${name}_test.ts`),
  "tests/server",
  "tests/tools",
  "tests/transports",
];

interface Reach {
  lines: number;
  reached: number;
}

interface FileReach extends Reach {
  /** Numbers of the lines that were not reached. */
  missed: readonly number[];
}

/** The coverage of each file, by its path, from an lcov report. */
export function reachOf(lcov: string): Map<string, FileReach> {
  const files = new Map<string, FileReach>();
  for (const record of lcov.split("end_of_record")) {
    const path = /^SF:(.*)$/m.exec(record)?.[1];
    if (path === undefined) continue;
    const counts = [...record.matchAll(/^DA:(\d+),(\d+)/gm)];
    const missed = counts.filter(([, , count]) => count === "0").map(([, line]) => Number(line));
    files.set(path, { lines: counts.length, reached: counts.length - missed.length, missed });
  }
  return files;
}

export interface Verdict extends Reach {
  readonly category: Category;
  readonly met: boolean;
  readonly files: readonly (FileReach & { path: string })[];
}

/** A file that no test has loaded has no record, so every file must have been loaded. */
export function judge(category: Category, reach: ReadonlyMap<string, FileReach>, root: string): Verdict {
  const files = category.files.map((path) => {
    const found = reach.get(`${root}src/${path}`);
    if (found === undefined) throw new Error(`nothing is known about src/${path}: was it changed meanwhile?`);
    return { path, ...found };
  });
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const reached = files.reduce((sum, file) => sum + file.reached, 0);
  return { category, files, lines, reached, met: 100 * reached >= category.minimum * lines };
}

function percent({ lines, reached }: Reach): string {
  return `${(Math.floor(1_000 * reached / lines) / 10).toFixed(1).padStart(5)} %`;
}

function print({ category, files, met, ...reach }: Verdict): void {
  const { name, minimum } = category;
  console.log(`${percent(reach)}  ${name} (at least ${minimum} %${met ? "" : ", MISSED"})`);
  for (const { path, lines, reached, missed } of files) {
    const without = missed.length === 0 ? "" : `, without ${missed.slice(0, 20).join(", ")}`;
    console.log(`    ${percent({ lines, reached })}  src/${path}  ${reached}/${lines}${without}`);
  }
}

async function run(args: string[], env: Record<string, string> = {}): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), { args, env, cwd: REPOSITORY, stdin: "null" });
  const { code } = await command.spawn().status;
  if (code !== 0) throw new Error(`deno ${args[0]} ended with ${code}`);
}

/** Removes records of servers that were killed, and of other files. */
function keepWhole(folder: string): void {
  for (const { name } of Deno.readDirSync(folder)) {
    let url: string | undefined;
    try {
      ({ url } = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (!url?.includes("/src/")) Deno.removeSync(`${folder}/${name}`);
  }
}

async function main(): Promise<boolean> {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-coverage-" });
  try {
    const server = `${folder}/server`;
    Deno.writeTextFileSync(
      server,
      `#!/bin/sh\nexec '${Deno.execPath()}' run -A '${MAIN}' --no-sandbox "$@"\n`,
    );
    Deno.chmodSync(server, 0o755);
    await run(["test", "-A", "--lock=tests/deno.lock", "--parallel", "--no-check", "--quiet", ...TESTS], {
      DENO_COVERAGE_DIR: `${folder}/raw`,
      DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "2",
      PADDOCK_EXE: server,
    });
    keepWhole(`${folder}/raw`);
    await run(["coverage", "--lcov", "--quiet", `--output=${folder}/lcov`, `${folder}/raw`]);
    const reach = reachOf(Deno.readTextFileSync(`${folder}/lcov`));
    const verdicts = CATEGORIES.map((category) => judge(category, reach, REPOSITORY));
    verdicts.forEach(print);
    return verdicts.every(({ met }) => met);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main() ? 0 : 1);
