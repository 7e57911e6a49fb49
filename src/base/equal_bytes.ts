/** Whether two stretches of bytes are the same. */
import { nodeBuffer } from "./node_buffer.ts";

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  const node = nodeBuffer(one.length);
  if (node !== undefined) return node.Buffer.compare(one, other) === 0;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
