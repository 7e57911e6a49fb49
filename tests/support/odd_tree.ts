/**
 * A small tree of text with many oddities of real files, the same every time, for stored answers. It has no invalid
 * UTF-8 and no \r outside \r\n: there Go and Rust differ.
 */
import { join } from "@std/path/join";

const WORDS = [
  "foo",
  "Bar",
  "error",
  "Error:",
  "straße",
  "ÉTAT",
  "naïve",
  "日本語",
  "λόγος",
  "x1y2z3",
  "0xdeadbeef",
  "a-b-c-d-",
  "TODO(me)",
  "K",
  "user_id",
  "12345678",
  "https://example.org/a.png",
  "",
];
const ENDINGS = ["\n", "\n", "\n", "\r\n"];

/** Writes the files into a folder. */
export function writeOddTree(folder: string): void {
  let seed = 7;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const line = (): number[] => {
    const text = Array.from({ length: next(9) }, () => WORDS[next(WORDS.length)]).join(next(4) ? " " : "");
    const bytes = [...new TextEncoder().encode(text)];
    if (next(40) === 0) bytes.push(...new TextEncoder().encode("word ".repeat(1 + next(800))));
    return bytes;
  };
  for (let i = 0; i < 40; i++) {
    const inner = join(folder, ["a", "a/b", ".hidden", "z.d"][i % 4] ?? "");
    Deno.mkdirSync(inner, { recursive: true });
    const bytes = i % 10 === 3 ? [0xef, 0xbb, 0xbf] : [];
    for (let count = next(60); count > 0; count--) {
      bytes.push(...line(), ...new TextEncoder().encode(ENDINGS[next(ENDINGS.length)]));
    }
    if (i % 3 === 0) bytes.push(...line()); // no newline at the end
    Deno.writeFileSync(join(inner, `file ${i}.txt`), Uint8Array.from(bytes));
  }
}
