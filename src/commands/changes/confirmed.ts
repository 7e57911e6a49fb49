/** Shows what a command would do, asks, and then does exactly that or nothing. */
import { shown } from "../../base/shown.ts";
import { painter } from "../colours.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { type Answered, EXIT, exitFor, type Failure, type RootServer } from "./root_server.ts";
import { diffText } from "./words.ts";

export interface Doing {
  readonly server: RootServer;
  readonly io: CommandIo;
  readonly flags: CommandArguments["flags"];
  readonly tool: "undo" | "restore";
  readonly args: Record<string, unknown>;
  readonly question: string;
}

interface Planned {
  files: { path: string; status: string; to?: string }[];
  diff: string;
  truncated: boolean;
  plan: string;
  change?: string;
  unknown?: number;
  also?: { root: string; id: string }[];
}

export async function doConfirmed({ server, io, flags, tool, args, question }: Doing): Promise<number> {
  const shownFirst = await server.call(tool, { ...args, dry_run: true });
  if ("failure" in shownFirst) return failed(shownFirst, io);
  const planned = plannedOf(shownFirst);
  if (planned.files.length === 0) {
    io.print("already in that state; nothing was changed");
    return EXIT.done;
  }
  show(planned, io);
  if (flags["dry-run"]) return EXIT.done;
  if (!flags.yes && io.confirm === undefined) {
    io.note("nothing was changed: add --yes to make these changes");
    return EXIT.done;
  }
  if (!flags.yes && io.confirm?.(question) !== true) {
    io.note("nothing was changed");
    return EXIT.done;
  }
  const answer = await server.call(tool, { ...args, plan: planned.plan });
  if ("failure" in answer) return failed(answer, io);
  const done = plannedOf(answer);
  const files = `${done.files.length} ${done.files.length === 1 ? "path" : "paths"}`;
  io.print(painter(io.colours)("green", `done: ${files}, as change ${done.change}`));
  for (const { root, id } of done.also ?? []) {
    io.note(`the other half of this change is in root ${shown(root)}: undo ${id} there as well`);
  }
  return EXIT.done;
}

function plannedOf(answer: Exclude<Answered, Failure>): Planned {
  return answer.value as unknown as Planned;
}

function show({ diff, truncated, unknown = 0 }: Planned, io: CommandIo): void {
  io.print(diffText(diff, painter(io.colours)));
  if (truncated) io.note("the diff is cut off here: the rest is too long to show");
  if (unknown > 0) io.note(`${unknown} paths stay as they are: their earlier state was not recorded`);
}

function failed(failure: Failure, io: CommandIo): number {
  const { failure: text, code } = failure;
  io.note(code === "CONFLICT" && text.startsWith("conflict:") ? text : `error: ${text}`);
  return exitFor(failure);
}
