/** Hashes files as streams, in chunks of 32 KB, whatever their size, and bytes that are in memory anyway. */
import { after } from "../base/timer.ts";
import { ConfinedFile } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import type { Content } from "./atomic_write.ts";
import { Pace } from "./yield.ts";
import { whileInUse } from "./transient.ts";

export const HASH_ALGORITHMS = ["md5", "sha1", "sha256"] as const;
export type HashAlgorithm = typeof HASH_ALGORITHMS[number];

const CHUNK = 32 * 1024;

type NodeCrypto = typeof import("node:crypto");

/** The module is loaded at first use and kept: asking for it again would take longer than hashing a little. */
let loading: Promise<NodeCrypto> | undefined;
let loaded: NodeCrypto | undefined;
const loadCrypto = () => loading ??= import("node:crypto").then((crypto) => loaded = crypto);

/** How long after the first small hash it is loaded for the next ones: that takes longer than the call itself. */
const LATER_MS = 100;

export interface Hashed {
  /** In hexadecimal digits. */
  hash: string;
  /** How many bytes were hashed. */
  size: number;
}

export interface HashOptions {
  algorithm: HashAlgorithm;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes done so far. */
  onBytes?: ((done: number) => void) | undefined;
}

export async function hashFile(path: ConfinedPath, options: HashOptions): Promise<Hashed> {
  using file = await whileInUse(() => ConfinedFile.open(path));
  return await hashOpenFile(file, options);
}

export async function hashOpenFile(
  file: ConfinedFile,
  { algorithm, signal, onBytes }: HashOptions,
): Promise<Hashed> {
  const { createHash } = await loadCrypto();
  const hash = createHash(algorithm);
  const pace = new Pace(signal);
  const buffer = new Uint8Array(CHUNK);
  let size = 0;
  for (;;) {
    const read = file.readAt(buffer, size);
    if (read === 0) return { hash: hash.digest("hex"), size };
    hash.update(buffer.subarray(0, read));
    size += read;
    onBytes?.(size);
    await pace.step();
  }
}

/**
 * The hashes of contents, as long as those are in memory: for one change, the answer, the record and the writer ask
 * for the same two. A content that was hashed is never modified.
 */
const known = new WeakMap<Uint8Array, string | Promise<string>>();

/** Below this, looking a hash up takes as long as making it. */
const WORTH_KNOWING = 4 * 1024;

/** From this length on it is worth asking another thread. */
const LONG = 256 * 1024;

function hashedBy({ createHash }: NodeCrypto, bytes: Uint8Array): string {
  if (bytes.length < WORTH_KNOWING) return createHash("sha256").update(bytes).digest("hex");
  const before = known.get(bytes);
  const hash = typeof before === "string" ? before : createHash("sha256").update(bytes).digest("hex");
  known.set(bytes, hash);
  return hash;
}

/** The sha256 of some content, by which clients tell whether a file is still the one they saw. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length >= LONG) return await (known.get(bytes) ?? hashedAside(bytes));
  if (loaded !== undefined) return hashedBy(loaded, bytes);
  loadLater();
  return await hashedAside(bytes);
}

/** For a hash that will be asked for: another thread makes that of a long content while this one does something else. */
export function hashSoon(bytes: Uint8Array): void {
  if (bytes.length >= LONG && !known.has(bytes)) hashedAside(bytes).catch(() => {}); // whoever asks is told
}

/** On another thread. */
function hashedAside(bytes: Uint8Array): Promise<string> {
  const hashing = crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>).then((digest) => {
    const hash = new Uint8Array(digest).toHex();
    if (bytes.length >= WORTH_KNOWING) known.set(bytes, hash);
    return hash;
  });
  if (bytes.length >= LONG) known.set(bytes, hashing);
  return hashing;
}

let isComing = false;

function loadLater(): void {
  if (!isComing) after(LATER_MS, loadCrypto);
  isComing = true;
}

/** The same content, with its sha256 available once it was written. */
export async function hashedContent(
  content: Content,
): Promise<{ content: Content; hash: () => string | Promise<string> }> {
  if (content instanceof Uint8Array && content.length >= LONG) {
    return { content, hash: () => sha256(content) };
  }
  const crypto = await loadCrypto();
  if (content instanceof Uint8Array) return { content, hash: () => hashedBy(crypto, content) };
  const hash = crypto.createHash("sha256");
  const hashing: Content = (write) =>
    content(async (chunk) => {
      hash.update(chunk);
      await write(chunk);
    });
  return { content: hashing, hash: () => hash.digest("hex") };
}
