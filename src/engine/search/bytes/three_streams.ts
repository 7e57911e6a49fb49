/**
 * The innermost loop of an automaton that reads three texts side by side: a processor that waits for one entry of
 * the table can fetch two more meanwhile. All numbers are kept small integers (`| 0`), or it is half as fast.
 */

/** Three texts in one buffer: where each is read next, its current row of the table, and where it ends. */
export interface Streams {
  readonly at: [number, number, number];
  readonly row: [number, number, number];
  readonly end: readonly [number, number, number];
}

export interface StreamTables {
  readonly symbolOf: Uint16Array;
  readonly table: Int32Array;
}

/** Reads until one of the texts has ended, or the next step of one is not a row of the table. */
export function readThree(bytes: Uint8Array, streams: Streams, { symbolOf, table }: StreamTables): void {
  let [i] = streams.at;
  const second = (streams.at[1] - i) | 0;
  const third = (streams.at[2] - i) | 0;
  const end = Math.min(streams.end[0], streams.end[1] - second, streams.end[2] - third) | 0;
  let [a, b, c] = streams.row;
  while (i < end) {
    const x = (table[(a + (symbolOf[bytes[i] as number] as number)) | 0] as number) | 0;
    const y = (table[(b + (symbolOf[bytes[(i + second) | 0] as number] as number)) | 0] as number) | 0;
    const z = (table[(c + (symbolOf[bytes[(i + third) | 0] as number] as number)) | 0] as number) | 0;
    if ((x | y | z) < 0) break;
    a = x;
    b = y;
    c = z;
    i = (i + 1) | 0;
  }
  streams.at[0] = i;
  streams.at[1] = i + second;
  streams.at[2] = i + third;
  streams.row[0] = a;
  streams.row[1] = b;
  streams.row[2] = c;
}
