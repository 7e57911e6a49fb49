/** The search kernel without WebAssembly: the same answers, a byte at a time. */
import { type Kernel, type Probe } from "./kernel.ts";
import { at } from "./ranges.ts";

export class PlainKernel implements Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly capacity: number;
  #probe: Probe | undefined;

  /** `size` is the capacity with what there is to spare. */
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
    const last = end - Math.max(...probe.offsets);
    return probe.kind === "pair" ? this.#findPair(from, last, probe) : this.#findClasses(from, last, probe);
  }

  indexOf(byte: number, from: number, end: number): number {
    return this.bytes.subarray(0, end).indexOf(byte, from);
  }

  count(byte: number, from: number, end: number): number {
    let count = 0;
    for (let i = from; i < end; i++) if (this.bytes[i] === byte) count++;
    return count;
  }

  #findPair(from: number, last: number, { offsets, bytes }: Probe & { kind: "pair" }): number {
    const [i, j] = offsets;
    const [first, second] = bytes;
    const all = this.bytes;
    for (let place = from; place < last; place++) {
      if (all[place + i] === first && all[place + j] === second) return place;
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
