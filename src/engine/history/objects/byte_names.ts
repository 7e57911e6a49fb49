/**
 * Names as git sees them: bytes. A byte string is a string whose every character stands for one byte, so that
 * comparing two of them gives git's order, and names that are not valid UTF-8 come through unharmed.
 */
import { Buffer } from "node:buffer";

/** Most names need no work at all. */
const BEYOND_ASCII = /[^ -~]/;

export function toBytes(name: string): string {
  return BEYOND_ASCII.test(name) ? Buffer.from(name, "utf8").toString("latin1") : name;
}

/** For people: what is not UTF-8 is shown as U+FFFD. */
export function fromBytes(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** Whether a name can be given to the operating system by Deno. */
export function isUtf8(bytes: string): boolean {
  return toBytes(fromBytes(bytes)) === bytes;
}
