/** A size in bytes as people write it: 500B, 1MB, 5.2MB (in units of 1,024). */
function humanSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Math.round(value * 10) / 10}${units[unit]}`;
}

/** The size and the limit it exceeds: in bytes where the rounded figures would be the same. */
export function sizeAndLimit(size: number, limit: number): string {
  const [shown, allowed] = [humanSize(size), humanSize(limit)];
  return shown === allowed ? `size: ${size}B, limit: ${limit}B` : `size: ${shown}, limit: ${allowed}`;
}
