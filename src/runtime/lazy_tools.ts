/**
 * Stands in for the registry until it is loaded. Loading the tools takes a good part of the time to the first
 * answer, and that answer (`initialize`) needs none of them; so they are loaded when first used, or when the
 * server is idle.
 */
import type { Tools } from "../server/methods.ts";
import type { ToolCall, ToolListing } from "../tools/tool.ts";

export class LazyTools implements Tools {
  readonly #load: () => Promise<Tools>;
  readonly #list: (() => Promise<ToolListing[]>) | undefined;

  /** The list may be available without loading the tools. */
  constructor(load: () => Promise<Tools>, list?: () => Promise<ToolListing[]>) {
    this.#load = load;
    this.#list = list;
  }

  async list() {
    return this.#list === undefined ? await (await this.#load()).list() : await this.#list();
  }

  async accessOf(name: string) {
    return await (await this.#load()).accessOf(name);
  }

  async call(name: string, args: unknown, call: ToolCall) {
    return await (await this.#load()).call(name, args, call);
  }
}
