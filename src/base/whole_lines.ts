/**
 * Lines for a pipe, in pieces that do not leave half a line behind. A pipe takes up to 4,096 bytes whole or
 * not at all; of a longer write, only part may have gone through when the process ends while nobody reads. So
 * lines are written together only up to that size, and a longer line is written alone: only such a line can
 * be cut.
 */

const WHOLE = 4_096;

const NOTHING = new Uint8Array(0);

/**
 * Removes from the front of `lines` what to write next: at most `most` bytes, unless the first line is
 * longer.
 */
export function takeWholeLines(lines: Uint8Array[], most = WHOLE): Uint8Array {
  const [first = NOTHING] = lines;
  let length = first.length;
  let count = 1;
  for (; count < lines.length; count++) {
    const next = length + (lines[count]?.length ?? 0);
    if (next > most) break;
    length = next;
  }
  const taken = lines.splice(0, count);
  if (count === 1) return first;
  if (areInARow(taken)) return new Uint8Array(first.buffer, first.byteOffset, length);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const line of taken) {
    bytes.set(line, at);
    at += line.length;
  }
  return bytes;
}

/** Whether each begins in memory where the one before it ends. */
function areInARow(lines: readonly Uint8Array[]): boolean {
  return lines.every((line, i) => {
    const before = lines[i - 1];
    return before === undefined ||
      (line.buffer === before.buffer && line.byteOffset === before.byteOffset + before.length);
  });
}
