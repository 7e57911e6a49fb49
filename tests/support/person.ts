/** How people's programs save a file: none of them locks it, and each does it differently. */
export const SAVE_STYLES = {
  /** A new file replaces the old one by rename: vim, VS Code with atomic saves, most tools. */
  rename(path: string, text: string): void {
    const temp = `${path}.${crypto.randomUUID()}.swp`;
    Deno.writeTextFileSync(temp, text);
    Deno.renameSync(temp, path);
  },
  /** The file is truncated and rewritten: nano, a shell's `>`, most scripts. */
  truncate(path: string, text: string): void {
    Deno.writeTextFileSync(path, text);
  },
  /** The file is overwritten from its beginning, and cut where the new text ends. */
  inPlace(path: string, text: string): void {
    const bytes = new TextEncoder().encode(text);
    using file = Deno.openSync(path, { write: true });
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    file.truncateSync(bytes.length);
  },
} as const;

export type SaveStyle = keyof typeof SAVE_STYLES;

export const STYLES = Object.keys(SAVE_STYLES) as SaveStyle[];
