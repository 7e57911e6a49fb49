/** How large files are divided among workers. */
export interface Division {
  /** Smaller files are not worth it. */
  readonly above: number;
  /** A range has at least so many bytes, and at most so many: if the time is up in one, all behind it is lost. */
  readonly leastBytes: number;
  readonly mostBytes: number;
}

const MB = 1024 * 1024;
export const DIVISION: Division = { above: 16 * MB, leastBytes: 8 * MB, mostBytes: 32 * MB };

/**
 * Where a range ends that begins at `from`. Every range takes a round of messages, so they are large; towards the
 * end of the file they become smaller, so that no worker waits long for the last one.
 */
export function endOfRange(
  { from, size }: { from: number; size: number },
  { leastBytes, mostBytes }: Division,
  workers: number,
): number {
  const share = Math.ceil((size - from) / (2 * workers));
  return from + Math.min(Math.max(share, leastBytes), mostBytes);
}
