/** What the kernel reports about names in a folder, as a watcher that relies on it alone sees it. Linux. */

const SYMBOLS = {
  inotify_init1: { parameters: ["i32"], result: "i32" },
  inotify_add_watch: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

const IN_NONBLOCK = 0o4000;
const KINDS = { 0x40: "from", 0x80: "to", 0x100: "create", 0x200: "delete" } as const;
const WATCHED = Object.keys(KINDS).reduce((mask, kind) => mask | Number(kind), 0);

export class NameEvents implements Disposable {
  readonly #libc = Deno.dlopen("libc.so.6", SYMBOLS);
  readonly #descriptor = this.#libc.symbols.inotify_init1(IN_NONBLOCK);

  constructor(folder: string) {
    this.#libc.symbols.inotify_add_watch(this.#descriptor, new TextEncoder().encode(`${folder}\0`), WATCHED);
  }

  /** The events since the last call, as "to a.txt". */
  take(): string[] {
    const buffer = new Uint8Array(64 * 1024);
    const length = Number(this.#libc.symbols.read(this.#descriptor, buffer, BigInt(buffer.length)));
    const view = new DataView(buffer.buffer);
    const events: string[] = [];
    for (let at = 0; at < length; at += 16 + view.getUint32(at + 12, true)) {
      const name = buffer.subarray(at + 16, at + 16 + view.getUint32(at + 12, true));
      const kind = KINDS[view.getUint32(at + 4, true) as keyof typeof KINDS];
      events.push(`${kind} ${new TextDecoder().decode(name).replace(/\0+$/, "")}`);
    }
    return events;
  }

  [Symbol.dispose](): void {
    this.#libc.symbols.close(this.#descriptor);
    this.#libc.close();
  }
}
