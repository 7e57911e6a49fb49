/** How entries of a directory are shown. */

/** A link is shown as a file, wherever it leads. */
export function kindOf({ isDirectory }: { readonly isDirectory: boolean }): string {
  return isDirectory ? "[DIR]" : "[FILE]";
}

export function unnamedNote(count: number): string | undefined {
  return count === 0
    ? undefined
    : `${count} more with names that are not valid UTF-8, which no tool can access`;
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function sizeText(bytes: number): string {
  if (bytes <= 0) return "0 B";
  const unit = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), UNITS.length - 1);
  return unit <= 0 ? `${bytes} B` : `${(bytes / 1024 ** unit).toFixed(2)} ${UNITS[unit]}`;
}
