/** What a commit of a workspace says about itself: which tool made it, for whom, and what it did. */
import { PaddockError } from "../../base/errors.ts";
import { type CommitSummary, type History, isKeeping } from "../../engine/history/mod.ts";

/** How many commits are searched at most, and how many at a time. */
const MOST_COMMITS = 20_000;
const STRIDE = 200;

export interface CommitFacts {
  /** `commit` if no tool made it, `person` if it keeps what other programs changed. */
  readonly tool: string;
  readonly client: string | null;
  /** One line. */
  readonly summary: string;
  /** The first digits of the commit that it reverts. */
  readonly reverts: string | null;
}

const TOOL_LINE = /^mcp\/fs\/[^:\n]+: (.*)$/;
const REVERT = /^Revert ([0-9a-f]{10}) \((.*)\)$/;

export function commitFacts(message: string): CommitFacts {
  const [first = "", ...rest] = message.split("\n");
  const summary = TOOL_LINE.exec(first)?.[1];
  const tool = trailer(rest, "Paddock-Tool");
  if (summary === undefined || tool === null) {
    return { tool: "commit", client: null, summary: first, reverts: null };
  }
  const client = trailer(rest, "Paddock-Client");
  const [, reverts = null, subject = ""] = tool === "fs_revert" ? REVERT.exec(summary) ?? [] : [];
  if (reverts !== null) {
    const what = TOOL_LINE.exec(subject)?.[1] ?? subject;
    return { tool, client, summary: `Revert ${reverts} (${what})`, reverts };
  }
  return { tool: isKeeping(message) ? "person" : tool, client, summary, reverts };
}

/**
 * Newest first. Times never increase from one to the next, whatever the commits say, so that the order of the log is
 * the order in time.
 */
export async function* commitsOf(
  history: History,
  { path = "", signal }: { path?: string; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<{ entry: CommitSummary; time: number }> {
  let time = Infinity;
  for (let skip = 0; skip < MOST_COMMITS; skip += STRIDE) {
    const { entries, more } = await history.log({
      limit: STRIDE,
      skip,
      signal,
      ...(path !== "" && { path }),
    });
    for (const entry of entries) {
      time = Math.min(time, Date.parse(entry.date));
      yield { entry, time };
    }
    if (!more) return;
  }
}

/** The commit of that name; undefined if there is none. */
export async function commitNamed(
  history: History,
  name: string,
  signal?: AbortSignal,
): Promise<CommitSummary | undefined> {
  try {
    return (await history.log({ limit: 1, from: name, signal })).entries[0];
  } catch (error) {
    if (error instanceof PaddockError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** The last one counts: what comes before the trailers may look like one. */
function trailer(lines: readonly string[], name: string): string | null {
  return lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2).trim() ?? null;
}
