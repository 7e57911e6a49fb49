/** `paddock undo`: undoes changes, by id or the last ones. */
import { realDirectory } from "../../cli/root_dirs.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { doConfirmed } from "./confirmed.ts";
import { changesOf } from "./log.ts";
import { EXIT, exitFor, openRoot, type RootServer } from "./root_server.ts";

const MOST = 10_000;

export async function undo({ words, flags }: CommandArguments, io: CommandIo): Promise<number> {
  const [first] = words;
  const isNamed = first !== undefined && (/[/\\.~]/.test(first) || "value" in realDirectory(first));
  const [dir, ids] = isNamed ? [first, words.slice(1)] : [".", words];
  await using server = await openRoot(dir, { flags, io });
  if (server === undefined) return nothing(io);
  const chosen = ids.length > 0 ? ids : await lastIds(server, flags, io);
  if (typeof chosen === "number") return chosen;
  if (chosen.length === 0) return nothing(io);
  const args = { id: chosen.join(",") };
  const question = `Undo ${chosen.length === 1 ? "this change" : `these ${chosen.length} changes`}?`;
  const code = await doConfirmed({ server, io, flags, tool: "undo", args, question });
  return code === EXIT.conflict && await areUndone(chosen, server) ? EXIT.nothing : code;
}

/** Whether one of these was undone before, which the tool calls a conflict, too. */
async function areUndone(ids: readonly string[], server: RootServer): Promise<boolean> {
  const found = await changesOf(server, { limit: MOST });
  const undone = "failure" in found ? [] : found.changes.filter(({ undone_by }) => undone_by !== undefined);
  return ids.some((given) => undone.some(({ id }) => id.startsWith(given.trim().toLowerCase())));
}

function nothing(io: CommandIo): number {
  io.note("there is nothing to undo");
  return EXIT.nothing;
}

/**
 * The last changes that are neither undone nor an undo themselves; an exit code when the history cannot be
 * read.
 */
async function lastIds(
  server: RootServer,
  flags: CommandArguments["flags"],
  io: CommandIo,
): Promise<string[] | number> {
  const found = await changesOf(server, { limit: MOST });
  if ("failure" in found) {
    io.note(`error: ${found.failure}`);
    return exitFor(found);
  }
  const count = typeof flags.last === "number" ? flags.last : 1;
  return found.changes.filter(({ tool, undone_by }) => tool !== "undo" && undone_by === undefined)
    .slice(0, count).map(({ id }) => id);
}
