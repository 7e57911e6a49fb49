/** The kernel's messages to a file system in user space (FUSE, version 7), as far as the strange one needs them. */

export const OP = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  READLINK: 5,
  SYMLINK: 6,
  MKDIR: 9,
  UNLINK: 10,
  RMDIR: 11,
  RENAME: 12,
  LINK: 13,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  FSYNCDIR: 30,
  SETLK: 32,
  SETLKW: 33,
  CREATE: 35,
  INTERRUPT: 36,
  DESTROY: 38,
  BATCH_FORGET: 42,
  RENAME2: 45,
  STATX: 52,
} as const;

const HEADER = 40;
const decoder = new TextDecoder();

/** A message from the kernel, read sequentially. */
export class Request {
  readonly #view: DataView<ArrayBuffer>;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at = HEADER;
  readonly op: number;
  readonly unique: bigint;
  readonly node: number;
  readonly uid: number;
  readonly gid: number;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    const view = this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.op = view.getUint32(4, true);
    this.unique = view.getBigUint64(8, true);
    this.node = Number(view.getBigUint64(16, true));
    this.uid = view.getUint32(24, true);
    this.gid = view.getUint32(28, true);
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  u64(): bigint {
    this.#at += 8;
    return this.#view.getBigUint64(this.#at - 8, true);
  }

  number(): number {
    return Number(this.u64());
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** A name, up to its terminating zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end + 1;
    return text;
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }
}

/** An answer, written sequentially. */
export class Answer {
  readonly #view = new DataView(new ArrayBuffer(1024));
  #at = 0;

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(...values: number[]): this {
    for (const value of values) {
      this.#view.setUint32(this.#at, value, true);
      this.#at += 4;
    }
    return this;
  }

  u64(...values: (number | bigint)[]): this {
    for (const value of values) {
      this.#view.setBigUint64(this.#at, BigInt(value), true);
      this.#at += 8;
    }
    return this;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer, 0, this.#at).slice();
  }
}

export function framed(unique: bigint, errno: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setInt32(4, -errno, true);
  view.setBigUint64(8, unique, true);
  bytes.set(body, 16);
  return bytes;
}
