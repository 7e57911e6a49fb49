/**
 * Assembles the search kernel: `deno task kernel` writes kernel_bytes.ts, and a test checks that this was done. The
 * assembler is not part of the program.
 */
import wabt from "wabt";

const FOLDER = new URL("../../src/engine/search/bytes/", import.meta.url);
const SOURCE = new URL("kernel.wat", FOLDER);
const TARGET = new URL("kernel_bytes.ts", FOLDER);

/** The module whose source is kernel.wat. */
export async function assembleKernel(): Promise<Uint8Array<ArrayBuffer>> {
  const assembler = await wabt();
  const module = assembler.parseWat("kernel.wat", Deno.readTextFileSync(SOURCE), { simd: true });
  try {
    return Uint8Array.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}

if (import.meta.main) {
  const base64 = (await assembleKernel()).toBase64();
  Deno.writeTextFileSync(
    TARGET,
    `/** The assembled form of kernel.wat, written by \`deno task kernel\`; do not edit it. */\nexport const KERNEL_BASE64 =\n  "${base64}";\n`,
  );
}
