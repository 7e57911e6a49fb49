/**
 * Restricts this thread, and whatever it starts from now on, to what the rules allow: the kernel itself then
 * refuses every other file, whatever the path says and whoever replaces folders with links. This cannot be
 * undone.
 *
 * It applies to one thread only. So everything here that takes a path uses synchronous calls, on the thread
 * itself (tests/pins/sync_calls_test.ts); reading and writing open files may happen on any thread.
 */
import type { KernelFence, KernelRules } from "../../base/kernel.ts";
import { addressOf, cString, lastError, type Libc, systemCall } from "./libc.ts";
import { knowsPorts, OLDEST_ABI, pathRights, pathRule, portRule, rulesetAttributes } from "./rights.ts";

const CREATE_RULESET = 444n;
const ADD_RULE = 445n;
const RESTRICT_SELF = 446n;
const OPENAT2 = 437n;
const [CLOSE, PRCTL] = Deno.build.arch === "aarch64" ? [57n, 167n] : [3n, 157n];

const ASK_VERSION = 1n;
const PATH_BENEATH = 1n;
const NET_PORT = 2n;

const PR_SET_NO_NEW_PRIVS = 38n;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;
const O_DIRECTORY = Deno.build.arch === "aarch64" ? 0o40000 : 0o200000;

/** AT_FDCWD: the path is absolute. */
const NO_FOLDER = -100n;
const RESOLVE_NO_SYMLINKS = 4n;

const EPERM = 1;
const ENOENT = 2;
const EACCES = 13;
const ENOTDIR = 20;
const ENAMETOOLONG = 36;
const ENOSYS = 38;
const ELOOP = 40;
const EOPNOTSUPP = 95;

/** The path leads nowhere, or not without following a link. */
const NOT_THERE = new Set([ENOENT, EACCES, ENOTDIR, ENAMETOOLONG, ELOOP]);

/** If the fence cannot be set up, nothing has changed. */
export function restrictThread(libc: Libc, rules: KernelRules): KernelFence {
  const abi = Number(systemCall(libc, CREATE_RULESET, 0n, 0n, ASK_VERSION));
  if (abi < 0) return { missing: whyNone(lastError(libc)) };
  if (abi < OLDEST_ABI) {
    return { missing: `Landlock ABI ${abi} cannot rename between folders; ABI 2 is needed` };
  }
  const attributes = rulesetAttributes(abi);
  const ruleset = systemCall(libc, CREATE_RULESET, addressOf(attributes), BigInt(attributes.length));
  if (ruleset < 0n) return { missing: whyNone(lastError(libc)) };
  try {
    const add = (type: bigint, rule: Uint8Array<ArrayBuffer>, what: string) => {
      if (systemCall(libc, ADD_RULE, ruleset, type, addressOf(rule)) !== 0n) {
        throw new Error(`the kernel rejected the rule for ${what} (error ${lastError(libc)})`);
      }
    };
    for (const path of rules.read) addPath(libc, { path, write: false, abi, add });
    for (const path of rules.write) addPath(libc, { path, write: true, abi, add });
    for (const path of rules.program ?? []) addPath(libc, { path, write: false, byLinks: true, abi, add });
    if (rules.port !== undefined && knowsPorts(abi)) {
      add(NET_PORT, portRule(rules.port), `port ${rules.port}`);
    }
    if (systemCall(libc, PRCTL, PR_SET_NO_NEW_PRIVS, 1n) !== 0n) {
      return { missing: `the process cannot give up privileges (error ${lastError(libc)})` };
    }
    if (systemCall(libc, RESTRICT_SELF, ruleset) !== 0n) {
      return { missing: whyNone(lastError(libc)) };
    }
    return { abi };
  } catch (error) {
    return { missing: (error as Error).message };
  } finally {
    systemCall(libc, CLOSE, ruleset);
  }
}

interface PathRule {
  path: string;
  write: boolean;
  /** Whether to follow links along the path. */
  byLinks?: boolean;
  abi: number;
  add: (type: bigint, rule: Uint8Array<ArrayBuffer>, what: string) => void;
}

/**
 * A path that is missing, or has become a link, gets no rule: it stays closed, and the fence stands all the
 * same. When it returns it needs a new thread (`held_directories.ts`).
 */
function addPath(libc: Libc, { path, write, byLinks = false, abi, add }: PathRule): void {
  let directory = true;
  let descriptor = openPlace(libc, path, { byLinks, flags: O_DIRECTORY });
  if (descriptor < 0 && lastError(libc) === ENOTDIR) {
    directory = false;
    descriptor = openPlace(libc, path, { byLinks });
  }
  if (descriptor < 0) {
    const code = lastError(libc);
    if (NOT_THERE.has(code)) return;
    throw new Error(`a directory could not be opened to add its rule (error ${code})`);
  }
  try {
    add(PATH_BENEATH, pathRule(pathRights(abi, { write, directory }), descriptor), "a directory");
  } finally {
    systemCall(libc, CLOSE, BigInt(descriptor));
  }
}

/** Every kernel with Landlock can open a path without following links anywhere along it. */
function openPlace(
  libc: Libc,
  path: string,
  { byLinks, flags = 0 }: { byLinks: boolean; flags?: number },
): number {
  const name = cString(path);
  const how = openHow(BigInt(O_PATH | O_CLOEXEC | flags), byLinks ? 0n : RESOLVE_NO_SYMLINKS);
  return Number(
    systemCall(libc, OPENAT2, NO_FOLDER, addressOf(name), addressOf(how), BigInt(how.length)),
  );
}

/** `struct open_how`. */
function openHow(flags: bigint, resolve: bigint): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array([flags, 0n, resolve]).buffer);
}

function whyNone(code: number): string {
  switch (code) {
    case ENOSYS:
      return "this kernel has no Landlock, or a container forbids it";
    case EOPNOTSUPP:
      return "Landlock is turned off in this kernel (add it to lsm= at boot)";
    case EPERM:
      return "Landlock is forbidden here, by a container's seccomp rules for instance";
    default:
      return `Landlock failed (error ${code})`;
  }
}
