/** What a commit of a workspace says of itself: which tool made it, for whom, and what it did. */
import { isKeeping } from "../../engine/history/mod.ts";

export interface CommitFacts {
  /** `commit` when no tool has made it, `person` when it keeps what other programs changed. */
  readonly tool: string;
  readonly client: string | null;
  /** One line. */
  readonly summary: string;
}

const TOOL_LINE = /^mcp\/fs\/[^:\n]+: (.*)$/;

export function commitFacts(message: string): CommitFacts {
  const [first = "", ...rest] = message.split("\n");
  const summary = TOOL_LINE.exec(first)?.[1];
  const tool = trailer(rest, "Paddock-Tool");
  if (summary === undefined || tool === null) return { tool: "commit", client: null, summary: first };
  const client = trailer(rest, "Paddock-Client");
  return { tool: isKeeping(message) ? "person" : tool, client, summary };
}

/** The last one counts: what comes before the trailers may look like one. */
function trailer(lines: readonly string[], name: string): string | null {
  return lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2).trim() ?? null;
}
