/** Runs this Deno as a child process, for the steps of a build. */

/** Something that the one who builds is told, without a stack. */
export class BuildError extends Error {}

export interface DenoOptions {
  cwd: string;
}

/** What it printed on standard output; a step that fails throws with what it said. */
export async function runDeno(args: readonly string[], { cwd }: DenoOptions): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new BuildError(`deno ${args[0]} failed:\n${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}
