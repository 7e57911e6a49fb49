/** Commit messages: the tool, what it did, and who asked for it. */

export interface MessageParts {
  /** `write_file`. */
  readonly tool: string;
  readonly summary: string;
  readonly client: string | undefined;
}

const MAX_SUMMARY = 1_000;
const MAX_CLIENT = 200;
const KEEP = "Keep changes made outside paddock to ";

export function commitMessage({ tool, summary, client }: MessageParts): string {
  const trailers = [`Paddock-Tool: fs_${clean(tool, MAX_CLIENT)}`];
  const name = client === undefined ? "" : clean(client, MAX_CLIENT);
  if (name !== "") trailers.push(`Paddock-Client: ${name}`);
  return `mcp/fs/${clean(tool, MAX_CLIENT)}: ${clean(summary, MAX_SUMMARY)}\n\n${trailers.join("\n")}`;
}

/** A single line: a newline in a client's name must not become a trailer of its own. */
function clean(text: string, length: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The message of a commit that records outside changes. */
export function keepSummary(paths: readonly string[]): string {
  const [first = "", ...rest] = paths;
  const more = rest.length === 0 ? "" : rest.length === 1 ? " and 1 more" : ` and ${rest.length} more`;
  return `${KEEP}${first}${more}`;
}

/** Whether a whole message is that of such a commit. */
export function isKeeping(message: string): boolean {
  return /^mcp\/fs\/[^:\n]+: (.*)/.exec(message)?.[1]?.startsWith(KEEP) === true;
}
