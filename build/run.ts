/** Runs a program for a step of a build. */
import { BuildError } from "./run_deno.ts";

/** How much of a failing program's output is shown. */
const LAST_LINES = 60;

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Returns its standard output; throws with its messages if it fails or does not exist. */
export async function run(
  [program = "", ...args]: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const name = Deno.build.os === "windows" && /^(npm|npx)$/.test(program) ? `${program}.cmd` : program;
  const command = new Deno.Command(name, { args, stdin: "null", ...options });
  const { success, stdout, stderr } = await outputOf(command, program);
  const decoder = new TextDecoder();
  if (!success) {
    const said = [stdout, stderr].map((bytes) => decoder.decode(bytes).trim()).join("\n").trim();
    throw new BuildError(
      `${program} ${args[0] ?? ""} failed:\n${said.split("\n").slice(-LAST_LINES).join("\n")}`,
    );
  }
  return decoder.decode(stdout);
}

async function outputOf(command: Deno.Command, program: string): Promise<Deno.CommandOutput> {
  try {
    return await command.output();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new BuildError(`${program} is not installed`);
    throw error;
  }
}
