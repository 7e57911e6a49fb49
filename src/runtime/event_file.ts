/**
 * The file that events are appended to: opened once, one write per line, so that several processes can share
 * it.
 */

/** Accepts lines, and reports when a reader can find them. */
export interface EventSink {
  write(line: string): void;
  flushed(): Promise<void>;
}

export class EventFile implements EventSink {
  readonly #path: string;
  readonly #encoder = new TextEncoder();
  #file: Deno.FsFile | undefined;

  /** The file exists: it was created before the fence was set up. */
  constructor(path: string) {
    this.#path = path;
  }

  write(line: string): void {
    const file = this.#file ??= Deno.openSync(this.#path, { append: true });
    const bytes = this.#encoder.encode(line + "\n");
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  }

  flushed(): Promise<void> {
    return Promise.resolve();
  }
}
