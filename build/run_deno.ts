/** Runs this Deno as a child process, for the steps of a build. */

/** An error to show without a stack trace. */
export class BuildError extends Error {}

export interface DenoOptions {
  cwd: string;
}

/** Returns what it printed on standard output; throws what it printed on standard error if it fails. */
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
