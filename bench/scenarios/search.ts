// Searching in files and by name, compared with the usual programs for it: ripgrep and fd, two threads each. Both
// are started again for every search, which takes them a few milliseconds; paddock is a running server. Its answers
// are compared with theirs before anything is timed.

import { join } from "@std/path/join";
import { findFd, type Hit, hitsOf, ripgrep, runFd, runRipgrep } from "../ripgrep.ts";
import type { Figures, Row, Scenario } from "../scenario.ts";
import { differenceOf, grepAll } from "../search_equal.ts";
import { makeSourceTree, writeLog, writeSmallFiles } from "../search_tree.ts";
import type { Session } from "../session.ts";
import { StdioClient } from "../stdio_client.ts";

interface Search {
  readonly key: string;
  readonly label: string;
  /** Where, below the folder. */
  readonly path: string;
  readonly pattern: string;
  /** For ripgrep, where that is spelled differently. */
  readonly ripgrep?: string;
  /** The ratio to stay below with the fences up. */
  readonly target: number;
}

const TREE = "tree";
const LOG = "log";
const SMALL = "small";
const GLOB = "*.json";
const LOG_BYTES = 200_000_000;
const SMALL_FILES = 100_000;

const SEARCHES: readonly Search[] = [
  { key: "word", label: "tree, a word", path: TREE, pattern: "ResourceNotReady", target: 1.4 },
  {
    key: "choice",
    label: "tree, a choice, any case",
    path: TREE,
    pattern: "(?i)not implemented|unsupported operation",
    target: 1.4,
  },
  {
    key: "classes",
    label: "tree, classes only",
    path: TREE,
    pattern: "[a-z]{30}",
    target: 0.9,
  },
  { key: "log", label: "log of 200 MB, a word", path: LOG, pattern: "user 31337 ", target: 1 },
  {
    key: "logClasses",
    label: "log of 200 MB, a pattern",
    path: LOG,
    pattern: "ERROR \\w+\\[77\\d\\]: .* for user 4\\d{4} took",
    ripgrep: "(?-u:ERROR \\w+\\[77\\d\\]: .* for user 4\\d{4} took)",
    target: 0.9,
  },
];
const SMALL_SEARCH: Search = {
  key: "small",
  label: "100,000 small files, a word",
  path: SMALL,
  pattern: "file 4242$",
  target: 1.4,
};

/** How paddock is started: its name, and its flags. */
const FENCES = [
  { name: "unfenced", flags: ["--no-sandbox", "--no-search-cache"] },
  { name: "fenced", flags: ["--no-search-cache"] },
] as const;
const CACHED = { name: "cached", flags: [] } as const;

function rowsFor(searches: readonly Search[]): Row[] {
  return searches.flatMap(({ key, label, target }) =>
    FENCES.map(({ name }) => ({
      key: `${key}.${name}`,
      label: `${label}, ${name}`,
      unit: "ms" as const,
      ...(name === "fenced" ? { target } : {}),
    }))
  );
}

/** paddock on the folder, with its own flags, kept over all rounds. */
async function server(session: Session, { name, flags }: { name: string; flags: readonly string[] }) {
  return await session.kept(name, async () => {
    const { command, args } = session.server.launch(session.dir);
    const client = new StdioClient({ command, args: [...args.slice(0, -1), ...flags, ...args.slice(-1)] });
    await client.initialize();
    return client;
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function expectedHits({ dir }: Session, search: Search): Promise<Hit[]> {
  const program = await ripgrep(new AbortController().signal);
  const pattern = search.ripgrep ?? search.pattern;
  const hits = hitsOf(await runRipgrep(program, { folder: join(dir, search.path), pattern }));
  return hits.map((hit) => ({ ...hit, file: `${search.path}/${hit.file}` }));
}

async function verifySearch(session: Session, search: Search): Promise<void> {
  const hits = await expectedHits(session, search);
  if (hits.length === 0) throw new Error(`ripgrep finds nothing for ${search.pattern}`);
  for (const fence of [...FENCES, CACHED]) {
    const client = await server(session, fence);
    const answer = await grepAll(client, { root: "field", path: search.path, pattern: search.pattern });
    const difference = differenceOf(answer, hits);
    if (difference !== undefined) throw new Error(`${search.pattern}, ${fence.name}: ${difference}`);
  }
}

async function searchRound(session: Session, searches: readonly Search[]): Promise<Figures> {
  const figures: Record<string, number> = {};
  const program = await ripgrep(new AbortController().signal);
  for (const { key, path, pattern, ripgrep: spelled = pattern } of searches) {
    for (const fence of FENCES) {
      if (session.server.side === "peer") {
        const folder = join(session.dir, path);
        figures[`${key}.${fence.name}`] = await timed(() =>
          runRipgrep(program, { folder, pattern: spelled })
        );
      } else {
        const client = await server(session, fence);
        figures[`${key}.${fence.name}`] = await timed(() =>
          grepAll(client, { root: "field", path, pattern })
        );
      }
    }
  }
  return figures;
}

async function globRound(session: Session): Promise<Figures> {
  const fd = findFd();
  const figures: Record<string, number> = {};
  for (const fence of [...FENCES, CACHED]) {
    if (session.server.side === "paddock") {
      const client = await server(session, fence);
      figures[`glob.${fence.name}`] = await timed(() => globAll(client));
    } else if (fd !== undefined) {
      figures[`glob.${fence.name}`] = await timed(() => runFd(fd, join(session.dir, TREE), GLOB));
    }
  }
  return figures;
}

async function globAll(client: StdioClient): Promise<string[]> {
  const call = {
    root: "field",
    path: TREE,
    pattern: `**/${GLOB}`,
    type_filter: "file",
    max_results: 1_000_000,
  };
  const answer: { matches: { path: string }[] } = JSON.parse(
    await client.callTool({ name: "glob", arguments: call }),
  );
  return answer.matches.map(({ path }) => path.slice(TREE.length + 1));
}

const [REPEATED] = SEARCHES as [Search];

/** The same again, with what the server remembers; and the first search of a server whose tools are loaded. */
async function wordRound(session: Session): Promise<Figures> {
  const { path, pattern } = REPEATED;
  const search = (client: StdioClient) => timed(() => grepAll(client, { root: "field", path, pattern }));
  if (session.server.side === "paddock") {
    const repeated = await search(await server(session, CACHED));
    await using fresh = session.spawn();
    await fresh.initialize();
    await fresh.request("tools/list", {});
    return { repeated, first: await search(fresh) };
  }
  const program = await ripgrep(new AbortController().signal);
  const peer = () => timed(() => runRipgrep(program, { folder: join(session.dir, path), pattern }));
  return { repeated: await peer(), first: await peer() };
}

export const search: Scenario = {
  name: "search",
  rounds: 7,
  rows: [
    ...rowsFor(SEARCHES),
    { key: "repeated", label: "tree, a word, again, fenced", unit: "ms", target: 0.8 },
    { key: "first", label: "tree, a word, first after start, fenced", unit: "ms", target: 2 },
    { key: "glob.unfenced", label: `tree, files named ${GLOB}, unfenced, no cache`, unit: "ms" },
    { key: "glob.fenced", label: `tree, files named ${GLOB}, fenced, no cache`, unit: "ms" },
    { key: "glob.cached", label: `tree, files named ${GLOB}, fenced`, unit: "ms", target: 1.6 },
  ],
  peer: "ripgrep 15 and fd, two threads",
  note:
    "a tree of 15,000 source files from npm and a log, all in the page cache; the peer is ripgrep -j2, for " +
    "names fd -j2; unfenced is paddock with --no-sandbox; again, first, and the last row are with paddock's cache, as " +
    "it is started by default, all others without. " +
    "paddock also reports the size and time of files found by name.",
  async prepare(dir, signal) {
    const count = await makeSourceTree(join(dir, TREE), signal);
    if (count < 15_000) throw new Error(`the tree has only ${count} files`);
    Deno.mkdirSync(join(dir, LOG));
    writeLog(join(dir, LOG, "service.log"), LOG_BYTES);
    await ripgrep(signal);
    if (findFd() === undefined) console.error("search: fd is not installed; searches by name have no peer");
  },
  async verify(session) {
    if (session.server.side === "peer") return;
    for (const one of SEARCHES) await verifySearch(session, one);
    const fd = findFd();
    if (fd === undefined) return;
    const [ours, theirs] = [
      await globAll(await server(session, CACHED)),
      await runFd(fd, join(session.dir, TREE), GLOB),
    ];
    if (ours.toSorted().join() !== theirs.join()) {
      throw new Error(`${ours.length} names, and ${theirs.length} by fd`);
    }
  },
  async round(session) {
    return {
      ...await searchRound(session, SEARCHES),
      ...await wordRound(session),
      ...await globRound(session),
    };
  },
};

export const searchSmall: Scenario = {
  name: "search_small",
  onlyByName: true,
  rounds: 5,
  rows: rowsFor([SMALL_SEARCH]),
  peer: "ripgrep 15, two threads",
  note: "100,000 files of at most 400 bytes in 100 folders",
  prepare(dir) {
    writeSmallFiles(join(dir, SMALL), SMALL_FILES);
  },
  async verify(session) {
    if (session.server.side === "paddock") await verifySearch(session, SMALL_SEARCH);
  },
  round: (session) => searchRound(session, [SMALL_SEARCH]),
};
