/** Runs a command in this process, as main would run it. */
import { UsageError } from "../../src/base/errors.ts";
import { subcommandNamed } from "../../src/cli/subcommands.ts";
import { runCommand } from "../../src/commands/mod.ts";

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runHere(
  [name, ...args]: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const command = subcommandNamed(name);
  if (command === undefined) throw new Error(`${name} is no command`);
  const outcome = { code: 1, stdout: "", stderr: "" };
  try {
    outcome.code = await runCommand(command, {
      args,
      env: (variable) => env[variable],
      workerOptions: true,
      lineWithFence: () => "",
      programFiles: [],
      print: (text) => outcome.stdout += `${text}\n`,
      note: (text) => outcome.stderr += `${text}\n`,
      colours: false,
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    outcome.stderr += error.mistakes.map((mistake) => `error: ${mistake}\n`).join("");
  }
  return outcome;
}
