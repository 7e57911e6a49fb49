/** Runs a command other than serving. This module and each command's code are loaded only when needed. */
import { UsageError } from "../base/errors.ts";
import { refusal } from "../cli/mistakes.ts";
import { SHELLS, type SubcommandName, type SubcommandRecord } from "../cli/subcommands.ts";
import { type CommandArguments, commandHelp, type CommandIo, readArguments, wordOf } from "./command.ts";

type Run = (
  given: CommandArguments,
  outside: { command: SubcommandRecord; io: CommandIo },
) => Promise<number>;

const COMMANDS: Record<SubcommandName, Run> = {
  completions: async ({ words }, { command, io }) => {
    const shell = wordOf(command, { words: SHELLS, given: words[0] });
    noMoreThan(1, { words, command });
    const { completionScript } = await import("./completions/mod.ts");
    io.print(completionScript(shell));
    return 0;
  },
  man: async ({ words }, { command, io }) => {
    noMoreThan(0, { words, command });
    const { manPage } = await import("./man_page.ts");
    io.print(manPage());
    return 0;
  },
  setup: async (given, outside) => {
    const { setup } = await import("./setup/mod.ts");
    return setup(given, outside);
  },
  log: async (given, { io, command }) => {
    noMoreThan(1, { ...given, command });
    const { log } = await import("./changes/log.ts");
    return await log(given, io);
  },
  undo: async (given, { io }) => {
    const { undo } = await import("./changes/undo.ts");
    return await undo(given, io);
  },
  restore: async (given, { io, command }) => {
    noMoreThan(2, { ...given, command });
    const { restore } = await import("./changes/restore.ts");
    return await restore(given, { io, command });
  },
  console: async (given, { io }) => {
    const { openConsole } = await import("./console/mod.ts");
    return await openConsole(given, io);
  },
  doctor: async (given, { io }) => {
    const { doctor } = await import("./doctor/mod.ts");
    return await doctor(given, io);
  },
};

/** Returns the exit code. Throws a UsageError with all mistakes in the command line. */
export async function runCommand(command: SubcommandRecord, io: CommandIo): Promise<number> {
  if (command.name === "doctor" && io.args[0] === "--hold-lock") {
    const { holdUntilInputEnds } = await import("./doctor/lock_process.ts");
    return await holdUntilInputEnds(io.args[1] ?? "", io);
  }
  const given = readArguments(command, io.args);
  if (given.flags.help) {
    io.print(commandHelp(command));
    return 0;
  }
  return await COMMANDS[command.name as SubcommandName](given, { command, io });
}

function noMoreThan(
  count: number,
  { words, command }: { words: readonly string[]; command: SubcommandRecord },
): void {
  const extra = words.slice(count);
  if (extra.length === 0) return;
  throw new UsageError([refusal("the command line", {
    problem: `has unexpected arguments (${extra.map((word) => JSON.stringify(word)).join(", ")})`,
    allowed: `paddock ${command.name} ${command.form}`.trimEnd(),
    example: command.examples[0] ?? "",
  })]);
}
