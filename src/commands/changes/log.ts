/** `paddock log`: what agents changed in a directory, newest first. */
import { painter } from "../colours.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { EXIT, exitFor, type Failure, openRoot, type RootServer } from "./root_server.ts";
import { changeLine, type LoggedChange, withZone } from "./words.ts";

const PAGE = 200;
const USUAL = 20;

export async function log({ words, flags }: CommandArguments, io: CommandIo): Promise<number> {
  await using server = await openRoot(words[0] ?? ".", { flags, io });
  const found = server === undefined ? { changes: [] } : await changesOf(server, flags);
  if ("failure" in found) {
    io.note(`error: ${found.failure}`);
    return exitFor(found);
  }
  if (flags.json) io.print(JSON.stringify(found, null, 2));
  else if (found.changes.length === 0) io.print("no changes are recorded");
  else for (const change of found.changes) io.print(changeLine(change, painter(io.colours)));
  return EXIT.done;
}

export type FoundChanges = { changes: LoggedChange[]; next?: string } | Failure;

export async function changesOf(server: RootServer, flags: CommandArguments["flags"]): Promise<FoundChanges> {
  const limit = typeof flags.limit === "number" ? flags.limit : USUAL;
  const { path, client, since } = flags;
  const query = { path, client, since: typeof since === "string" ? withZone(since) : undefined };
  const changes: LoggedChange[] = [];
  let before: string | undefined;
  while (changes.length < limit) {
    const answer = await server.call("history", {
      ...query,
      before,
      limit: Math.min(PAGE, limit - changes.length),
    });
    if ("failure" in answer) return answer;
    const page = answer.value as unknown as { changes: LoggedChange[]; next?: string };
    changes.push(...page.changes);
    before = page.next;
    if (before === undefined) break;
  }
  return { changes, ...(before !== undefined && { next: before }) };
}
