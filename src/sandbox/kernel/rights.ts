/**
 * Landlock's rights as numbers, and its structures as bytes. The kernel accepts only the rights that its
 * version of the interface (ABI) knows, so requests are built for that version; rights newer than this file
 * are not requested. Pure, so every version can be tested without a kernel that has it.
 */

const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const REMOVE_DIR = 1n << 4n;
const REMOVE_FILE = 1n << 5n;
const MAKE_DIR = 1n << 7n;
const MAKE_REG = 1n << 8n;
const MAKE_SOCK = 1n << 9n;
const MAKE_FIFO = 1n << 10n;
const MAKE_SYM = 1n << 12n;
const REFER = 1n << 13n;
const TRUNCATE = 1n << 14n;

const READ = READ_FILE | READ_DIR;

/** Moving links, pipes and sockets needs the right to make them. Nobody needs to make devices. */
const CHANGE = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO |
  MAKE_SYM |
  REFER | TRUNCATE;

/** The rights that apply to a file rather than a directory. */
const OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE;

/** The oldest that allows renaming files from one folder to another. */
export const OLDEST_ABI = 2;

/** Every right over files that a version knows: all of them, execution included, are denied by default. */
function fileRights(abi: number): bigint {
  const known = abi >= 5 ? 16n : abi >= 3 ? 15n : abi >= 2 ? 14n : 13n;
  return (1n << known) - 1n;
}

/** Listening and connecting. */
const TCP = 3n;
export const BIND_TCP = 1n;
/** Abstract sockets and signals to processes outside the fence. */
const SCOPES = 3n;

/** `struct landlock_ruleset_attr`: everything that is forbidden unless a rule allows it. */
export function rulesetAttributes(abi: number): Uint8Array<ArrayBuffer> {
  const fields = [fileRights(abi), ...(abi >= 4 ? [TCP] : []), ...(abi >= 6 ? [SCOPES] : [])];
  return new Uint8Array(new BigUint64Array(fields).buffer);
}

/** The rights of a rule for a path and everything below it. None allows execution. */
export function pathRights(
  abi: number,
  { write, directory }: { write: boolean; directory: boolean },
): bigint {
  const wanted = write ? READ | CHANGE : READ;
  return wanted & fileRights(abi) & (directory ? ~0n : OF_FILES);
}

/** `struct landlock_path_beneath_attr`, which is packed. */
export function pathRule(rights: bigint, descriptor: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, rights, true);
  view.setInt32(8, descriptor, true);
  return bytes;
}

/** `struct landlock_net_port_attr`. */
export function portRule(port: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array([BIND_TCP, BigInt(port)]).buffer);
}

/** Whether a version has rules for ports. */
export function knowsPorts(abi: number): boolean {
  return abi >= 4;
}
