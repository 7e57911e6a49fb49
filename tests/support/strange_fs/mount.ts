/** Strange file systems for tests, served by a separate process (main.ts). */
import { REPOSITORY } from "../server.ts";
import type { Traits } from "./traits.ts";

/** What main.ts prints when all are mounted. */
export const MOUNTED = "mounted";

/** The command that serves a file system on each of these folders. */
function mountCommand(folders: Record<string, Traits>): string[] {
  const main = `${REPOSITORY}tests/support/strange_fs/main.ts`;
  const quiet = ["--no-check", "--no-lock"];
  return ["unshare", "-rm", Deno.execPath(), "run", "-A", ...quiet, main, JSON.stringify(folders)];
}

export class StrangeMounts implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
  }

  static async on(folders: Record<string, Traits>): Promise<StrangeMounts> {
    const [program = "", ...args] = mountCommand(folders);
    const process = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
    const mounts = new StrangeMounts(process);
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      if (text.startsWith(MOUNTED)) return mounts;
    }
    await mounts[Symbol.asyncDispose]();
    throw new Error("no file system could be mounted");
  }

  /** The prefix for a command that should see them. */
  get inside(): string[] {
    return ["nsenter", "--user", "--mount", "--preserve-credentials", `--target=${this.#process.pid}`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stdin.close();
    await this.#process.status;
  }
}
