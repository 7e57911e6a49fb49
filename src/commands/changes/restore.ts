/** `paddock restore`: restores a path to an earlier state. */
import { UsageError } from "../../base/errors.ts";
import { refusal } from "../../cli/mistakes.ts";
import type { SubcommandRecord } from "../../cli/subcommands.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { doConfirmed } from "./confirmed.ts";
import { EXIT, openRoot } from "./root_server.ts";
import { withZone } from "./words.ts";

export async function restore(
  { words, flags }: CommandArguments,
  { io, command }: { io: CommandIo; command: SubcommandRecord },
): Promise<number> {
  const [dir, path] = words;
  const { at } = flags;
  if (dir === undefined || path === undefined || typeof at !== "string") {
    throw new UsageError([refusal("the command line", {
      problem: `lacks ${dir === undefined ? "the directory" : path === undefined ? "the path" : "--at"}`,
      allowed: `paddock ${command.name} ${command.form}`,
      example: command.examples[0] ?? "",
    })]);
  }
  await using server = await openRoot(dir, { flags, io });
  if (server === undefined) {
    io.note("no changes are recorded for this directory");
    return EXIT.nothing;
  }
  const args = { path, at: withZone(at) };
  return await doConfirmed({ server, io, flags, tool: "restore", args, question: "Restore it?" });
}
