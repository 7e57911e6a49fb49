/**
 * A helper in a Worker of its own, started when first needed, and again when lost or when directories were replaced.
 */
import { PaddockError } from "../../base/errors.ts";
import type { ConsoleRole, SpawnConsole } from "../../base/spawn.ts";
import { Asker } from "../port.ts";

export interface StaffOptions {
  readonly role: ConsoleRole;
  readonly spawn: SpawnConsole;
  readonly onTold?: (told: unknown) => void;
  readonly onLost?: (why: string) => void;
}

export class Staff {
  readonly #options: StaffOptions;
  #asker: Asker | undefined;

  constructor(options: StaffOptions) {
    this.#options = options;
  }

  /** Whether it is running. */
  get isThere(): boolean {
    return this.#asker !== undefined;
  }

  async ask(name: string, args: unknown, signal?: AbortSignal): Promise<unknown> {
    const asker = this.#asker ?? this.#sendFor();
    try {
      return await asker.ask(name, args, signal);
    } catch (error) {
      if (!(error instanceof PaddockError) || error.data?.reopen !== true) throw error;
      this.#letGo(asker, "directories were replaced");
      return await (this.#asker ?? this.#sendFor()).ask(name, args, signal);
    }
  }

  close(): void {
    if (this.#asker !== undefined) this.#letGo(this.#asker, "the console is closed");
  }

  #sendFor(): Asker {
    const { role, spawn, onTold, onLost } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const asker = new Asker(port1, onTold);
    this.#asker = asker;
    spawn(role, port2, (why) => {
      if (this.#asker !== asker) return; // a new one is running by now
      this.#letGo(asker, why);
      onLost?.(why);
    });
    return asker;
  }

  #letGo(asker: Asker, why: string): void {
    if (this.#asker === asker) this.#asker = undefined;
    asker.lose(new Error(`the worker that accesses the files was lost: ${why}`));
  }
}
