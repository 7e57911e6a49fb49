/** Whether a process may have namespaces of its own, in which file systems can be made to fail. */

/** As `unshare` is asked for them: `-r` for users, `-m` for mounts. */
export async function mayUnshare(...args: string[]): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const { success } = await new Deno.Command("unshare", { args, stdout: "null", stderr: "null" }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
