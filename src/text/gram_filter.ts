/**
 * Decides which chunks of a text need not be searched for a string: those that lack some of its trigrams. A
 * chunk's trigrams are kept as a small set of hashes, so the answer may be a false yes, never a false no.
 */

const HASH_BITS = 13;
const MAX_GRAMS = 16;

export type Signature = Uint32Array;

export function signatureOf(text: string): Signature {
  const signature = new Uint32Array(2 ** HASH_BITS / 32);
  let a = text.charCodeAt(0);
  let b = text.charCodeAt(1);
  for (let i = 2; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const hash = hashGram(a, b, c);
    signature[hash >>> 5] = (signature[hash >>> 5] ?? 0) | (1 << (hash & 31));
    a = b;
    b = c;
  }
  return signature;
}

/** The string to look for. */
export class GramProbe {
  readonly #hashes: number[] = [];

  constructor(needle: string) {
    const grams = needle.length - 2;
    const count = Math.min(grams, MAX_GRAMS);
    for (let i = 0; i < count; i++) {
      const at = Math.floor(i * grams / count);
      this.#hashes.push(
        hashGram(needle.charCodeAt(at), needle.charCodeAt(at + 1), needle.charCodeAt(at + 2)),
      );
    }
  }

  mayBeIn(chunk: Signature): boolean {
    for (const hash of this.#hashes) if (!has(chunk, hash)) return false;
    return true;
  }

  /** Whether it may span the border of two chunks; at most two of its trigrams do. */
  mayBeAcross(chunk: Signature, next: Signature): boolean {
    let missing = 0;
    for (const hash of this.#hashes) {
      if (!has(chunk, hash) && !has(next, hash) && ++missing > 2) return false;
    }
    return true;
  }
}

function hashGram(a: number, b: number, c: number): number {
  return Math.imul(a ^ (b << 7) ^ (c << 14), 0x9e3779b1) >>> (32 - HASH_BITS);
}

function has(signature: Signature, hash: number): boolean {
  return ((signature[hash >>> 5] ?? 0) >>> (hash & 31) & 1) === 1;
}
