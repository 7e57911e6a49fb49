/**
 * Another process that holds the lock of a file or folder, by nothing but Deno's own API: it says "locked"
 * when it has it, and gives it back when its standard input ends or it is killed. Windows cannot lock a folder: there
 * it holds that of the file in it that stands for it.
 *
 *     deno run -A lock_holder.ts PATH
 */

const LOCK_HOLDER = decodeURIComponent(new URL(import.meta.url).pathname);

export class LockHolder implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  /** Resolves when the lock is held. */
  static async start(path: string): Promise<LockHolder> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", LOCK_HOLDER, path],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    reader.releaseLock();
    if (new TextDecoder().decode(value) !== "locked\n") throw new Error(`${path} could not be locked`);
    return new LockHolder(child);
  }

  /** Ends it normally. */
  async release(): Promise<void> {
    await this.#child.stdin.close();
    await this.#child.status;
    await this.#child.stdout.cancel();
  }

  /** Ends it without a chance to clean up. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#child.stdout.cancel();
    await this.#child.stdin.close().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.kill();
    } catch { /* it has ended already */ }
  }
}

if (import.meta.main) {
  const [path = ""] = Deno.args;
  const { isDirectory } = Deno.statSync(path);
  const file = isDirectory && Deno.build.os === "windows"
    ? Deno.openSync(`${path}/.paddock-lock.tmp`, { read: true, write: true, create: true })
    : Deno.openSync(path, { read: true, write: !isDirectory });
  if (!file.tryLockSync(true)) throw new Error("taken");
  Deno.stdout.writeSync(new TextEncoder().encode("locked\n"));
  await Deno.stdin.readable.pipeTo(new WritableStream());
  file.close();
}
