/**
 * Names as git sees them: bytes. In a byte string every character stands for one byte, so comparing two of them
 * gives git's order, and names that are not valid UTF-8 stay intact.
 */
import { Buffer } from "node:buffer";

/** Most names need no conversion. */
const BEYOND_ASCII = /[^ -~]/;

export function toBytes(name: string): string {
  return BEYOND_ASCII.test(name) ? Buffer.from(name, "utf8").toString("latin1") : name;
}

/** For people: what is not UTF-8 is shown as U+FFFD. */
export function fromBytes(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** Whether Deno can pass a name to the operating system. */
export function isUtf8(bytes: string): boolean {
  return toBytes(fromBytes(bytes)) === bytes;
}
