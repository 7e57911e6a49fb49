/** The entries of a folder as the kernel writes them (`struct linux_dirent64`). Pure. */

const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;

const DT_UNKNOWN = 0;
const DT_DIR = 4;
const DT_REG = 8;
const DT_LNK = 10;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Adds what is in a buffer that the kernel has filled; false when it does not tell what one of them is. */
export function parseEntries(bytes: Uint8Array, entries: Deno.DirEntry[]): boolean {
  for (let at = 0; at < bytes.length;) {
    const length = (bytes[at + LENGTH_AT] ?? 0) | (bytes[at + LENGTH_AT + 1] ?? 0) << 8;
    if (length <= NAME_AT || at + length > bytes.length) {
      throw new RangeError("not a listing of the kernel's");
    }
    const type = bytes[at + TYPE_AT];
    const end = bytes.indexOf(0, at + NAME_AT);
    const name = decoder.decode(bytes.subarray(at + NAME_AT, end));
    at += length;
    if (name === "." || name === "..") continue;
    if (type === DT_UNKNOWN) return false;
    entries.push({ name, isFile: type === DT_REG, isDirectory: type === DT_DIR, isSymlink: type === DT_LNK });
  }
  return true;
}
