// From the start of the process to its first answers. A client starts its servers each time it is opened, so
// this is what a user waits for. Where `deno task compile` has made the executable, that is measured as well.

import { DIST, executable, sizeOf } from "../executable.ts";
import type { Row, Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { StdioClient } from "../stdio_client.ts";

const MIB = 1024 * 1024;
const ARCHIVE = new RegExp(`^paddock-.*-${Deno.build.target}\\.(tar\\.xz|zip)$`);

const archive = archiveName();

const EXECUTABLE_ROWS: readonly Row[] = [
  { key: "executableInitialize", label: "executable, first answer (initialize)", unit: "ms", target: 0.35 },
  { key: "executableTools", label: "executable, first tools/list", unit: "ms", target: 0.25 },
  { key: "executableRss", label: "executable, memory after it", unit: "MiB", target: 0.95 },
];

export const startup: Scenario = {
  name: "startup",
  rounds: 15,
  forAnyServer: true,
  rows: [
    { key: "initialize", label: "first answer (initialize)", unit: "ms", target: 0.5 },
    { key: "tools", label: "first tools/list", unit: "ms", target: 0.45 },
    { key: "rss", label: "memory after it", unit: "MiB", target: 1.15 },
    { key: "peak", label: "memory, peak", unit: "MiB" },
    ...(executable === undefined ? [] : EXECUTABLE_ROWS),
  ],
  ...(executable === undefined ? {} : { note: sizes(executable) }),
  async round(session) {
    const { initialize, tools, memory } = await firstAnswers(session.spawn());
    const figures = { initialize, tools, ...(memory && { rss: memory.rss / MIB, peak: memory.peak / MIB }) };
    if (executable === undefined) return figures;
    const compiled = await ofExecutable(session) ?? { initialize, tools, memory };
    return {
      ...figures,
      executableInitialize: compiled.initialize,
      executableTools: compiled.tools,
      ...(compiled.memory && { executableRss: compiled.memory.rss / MIB }),
    };
  },
};

async function firstAnswers(started: StdioClient) {
  await using client = started;
  await client.initialize();
  const initialize = performance.now() - client.startedAt;
  await client.request("tools/list", {});
  const tools = performance.now() - client.startedAt;
  return { initialize, tools, memory: client.memory() };
}

/** The peer has none: its own figures are beside it. */
async function ofExecutable(session: Session) {
  if (session.server.side !== "paddock" || executable === undefined) return undefined;
  return await firstAnswers(session.spawn({ command: executable.path, args: [session.dir] }));
}

function archiveName(): string | undefined {
  if (executable === undefined) return undefined;
  return [...Deno.readDirSync(DIST)].map(({ name }) => name).find((name) => ARCHIVE.test(name));
}

function sizes({ size }: { size: number }): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const packed = archive === undefined ? undefined : sizeOf(archive);
  return `the executable is ${megabytes(size)}` +
    (packed === undefined
      ? " (`deno task compile --archive` packs it)."
      : `, its archive ${megabytes(packed.size)}.`);
}
