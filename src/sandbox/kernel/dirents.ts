/** The entries of a folder as the kernel writes them (`struct linux_dirent64`). Pure. */

const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;

const DT_UNKNOWN = 0;
const DT_DIR = 4;
const DT_REG = 8;
const DT_LNK = 10;

const DOT = 0x2e;
/** What no name holds; a decoder that meets bytes which are not UTF-8 leaves it where it is. */
const SLASH = 0x2f;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Adds what is in a buffer that the kernel has filled; false when it does not tell what one of them is. The names
 * are moved together in the buffer and decoded as one text: to decode each by itself takes longer than all the rest.
 */
export function parseEntries(bytes: Uint8Array, entries: Deno.DirEntry[]): boolean {
  const types: number[] = [];
  let written = 0;
  for (let at = 0; at < bytes.length;) {
    const length = (bytes[at + LENGTH_AT] ?? 0) | (bytes[at + LENGTH_AT + 1] ?? 0) << 8;
    if (length <= NAME_AT || at + length > bytes.length) {
      throw new RangeError("not a listing of the kernel's");
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

/** Whether a name is that of the folder itself, or of the one above it. */
function isDots(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== DOT) return false;
  return end - start === 1 || (end - start === 2 && bytes[start + 1] === DOT);
}
