/**
 * Reads its standard input through QuickInput, which changes over after as many reads as the first argument says. When
 * it has read `HOLD`, it waits for the file that the second argument names before it goes on. Prints what came.
 */
import { QuickInput } from "../../src/transports/quick_input.ts";

const [after = "", goFile = ""] = Deno.args;
const HOLD = "hold\n";
let usualReads = 0;
const usual = {
  isTerminal: () => Deno.stdin.isTerminal(),
  read: (buffer: Uint8Array) => {
    usualReads++;
    return Deno.stdin.read(buffer);
  },
};

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

const input = new QuickInput(usual, { after: Number(after) });
const buffer = new Uint8Array(64 * 1024);
const parts: Uint8Array[] = [];
for (let read = await input.read(buffer); read !== null; read = await input.read(buffer)) {
  parts.push(buffer.slice(0, read));
  await Deno.stdout.write(new TextEncoder().encode("."));
  if (goFile !== "" && new TextDecoder().decode(buffer.subarray(0, read)).endsWith(HOLD)) {
    await until(() => isThere(goFile));
  }
}
const bytes = await new Blob(parts as BlobPart[]).arrayBuffer();
const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
console.log(JSON.stringify({ usualReads, length: bytes.byteLength, sha256 }));
Deno.exit(0);
