/** The search kernel without WebAssembly: the same answers, a byte at a time. */
import { type Kernel, type Probe, reachOf } from "./kernel.ts";
import { at } from "./ranges.ts";

export class PlainKernel implements Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly capacity: number;
  passed = 0;
  #probe: Probe | undefined;

  /** `size` is the capacity including the spare bytes. */
  constructor(capacity: number, size: number) {
    this.bytes = new Uint8Array(size);
    this.capacity = capacity;
  }

  aim(probe: Probe): void {
    this.#probe = probe;
  }

  find(from: number, end: number): number {
    const probe = this.#probe;
    if (probe === undefined) return -1;
    const last = end - reachOf(probe);
    this.passed = 0;
    switch (probe.kind) {
      case "pair":
        return this.#findPair(from, last, probe);
      case "classes":
        return this.#findClasses(from, last, probe);
      case "run":
        return this.#findRun(from, last, probe);
    }
  }

  indexOf(byte: number, from: number, end: number): number {
    return this.bytes.subarray(0, end).indexOf(byte, from);
  }

  count(byte: number, from: number, end: number): number {
    let count = 0;
    for (let i = from; i < end; i++) if (this.bytes[i] === byte) count++;
    return count;
  }

  #findPair(from: number, last: number, { offsets, bytes, others }: Probe & { kind: "pair" }): number {
    const [i, j] = offsets;
    const [first, second] = bytes;
    const all = this.bytes;
    for (let place = from; place < last; place++) {
      if (all[place + i] !== first || all[place + j] !== second) continue;
      if (others.every(({ offset, byte }) => all[place + offset] === byte)) return place;
      this.passed++;
    }
    return -1;
  }

  #findRun(from: number, last: number, { length, tables }: Probe & { kind: "run" }): number {
    const all = this.bytes;
    let begin = from;
    for (let i = from; begin < last; i++) {
      if (bucketsOf(tables, 0, at(all, i)) === 0) begin = i + 1;
      else if (i - begin + 1 === length) return begin;
    }
    return -1;
  }

  #findClasses(from: number, last: number, { offsets, tables }: Probe & { kind: "classes" }): number {
    const [i, j, k] = offsets;
    const all = this.bytes;
    for (let place = from; place < last; place++) {
      const buckets = bucketsOf(tables, 0, at(all, place + i)) &
        bucketsOf(tables, 32, at(all, place + j)) &
        bucketsOf(tables, 64, at(all, place + k));
      if (buckets !== 0) return place;
    }
    return -1;
  }
}

function bucketsOf(tables: Uint8Array, base: number, byte: number): number {
  return at(tables, base + (byte & 15)) & at(tables, base + 16 + (byte >> 4));
}
