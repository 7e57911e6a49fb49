/** Parses a folder's entries as the kernel writes them (`struct linux_dirent64`). Pure. */

const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;

const DT_UNKNOWN = 0;
const DT_DIR = 4;
const DT_REG = 8;
const DT_LNK = 10;

const DOT = 0x2e;
/** Occurs in no name; a decoder that meets invalid UTF-8 leaves it in place. */
const SLASH = 0x2f;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Adds the entries in a buffer filled by the kernel; false when the kernel does not say what one of them is.
 * The names are packed together in the buffer and decoded as one text: decoding each by itself takes longer
 * than everything else.
 */
export function parseEntries(bytes: Uint8Array, entries: Deno.DirEntry[]): boolean {
  const types: number[] = [];
  let written = 0;
  for (let at = 0; at < bytes.length;) {
    const length = (bytes[at + LENGTH_AT] ?? 0) | (bytes[at + LENGTH_AT + 1] ?? 0) << 8;
    if (length <= NAME_AT || at + length > bytes.length) {
      throw new RangeError("not a directory listing from the kernel");
    }
    const type = bytes[at + TYPE_AT] ?? DT_UNKNOWN;
    const start = written;
    for (let i = at + NAME_AT; bytes[i] !== 0 && i < at + length; i++) bytes[written++] = bytes[i] ?? 0;
    at += length;
    if (isDots(bytes, start, written)) {
      written = start;
      continue;
    }
    if (type === DT_UNKNOWN) return false;
    types.push(type);
    bytes[written++] = SLASH;
  }
  const names = decoder.decode(bytes.subarray(0, written)).split("/");
  types.forEach((type, i) => {
    const name = names[i] ?? "";
    entries.push({ name, isFile: type === DT_REG, isDirectory: type === DT_DIR, isSymlink: type === DT_LNK });
  });
  return true;
}

/** Whether a name is `.` or `..`. */
function isDots(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== DOT) return false;
  return end - start === 1 || (end - start === 2 && bytes[start + 1] === DOT);
}
