/**
 * Another process that holds a lock: a second instance of this program, run as `paddock doctor --hold-lock
 * FILE`, which prints "locked" and waits for its input to end. Where no program may be started, another
 * handle has to do.
 */
import { isGranted } from "../../cli/permissions.ts";
import type { CommandIo } from "../command.ts";
import type { LockHolder } from "./file_system.ts";

/** Runs in the other process. */
export async function holdUntilInputEnds(path: string, io: CommandIo): Promise<number> {
  using file = Deno.openSync(path, { read: true, write: true });
  if (!file.tryLockSync(true)) return 1;
  io.print("locked");
  const bytes = new Uint8Array(64);
  while (await Deno.stdin.read(bytes) !== null);
  return 0;
}

export async function holdLock(path: string): Promise<LockHolder> {
  if (!isGranted({ name: "run", command: Deno.execPath() })) return holdHere(path);
  const own = Deno.build.standalone ? [] : ["run", "--no-prompt", ...only(path), Deno.mainModule];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...own, "doctor", "--hold-lock", path],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const release = async () => {
    await child.stdin.close();
    await child.stdout.cancel();
    await child.status;
  };
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  if (new TextDecoder().decode(value).trim() === "locked") return { otherProcess: true, release };
  await release();
  throw new Error("a second process of this program could not acquire the lock");
}

function holdHere(path: string): LockHolder {
  const file = Deno.openSync(path, { read: true, write: true });
  file.tryLockSync(true);
  return {
    otherProcess: false,
    release: () => {
      file.close();
      return Promise.resolve();
    },
  };
}

/** A comma in a path would end it. */
function only(path: string): string[] {
  const escaped = path.replaceAll(",", ",,");
  return [`--allow-read=${escaped}`, `--allow-write=${escaped}`];
}
