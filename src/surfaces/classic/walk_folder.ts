/**
 * Walks a directory and everything below it, folder by folder, in order of names; links are listed but not
 * followed.
 */
import { PaddockError } from "../../base/errors.ts";
import { childOf, type ConfinedPath } from "../../engine/fence.ts";
import { type NamedEntry, namesIn } from "../../engine/folder_names.ts";
import { Pace } from "../../engine/yield.ts";
import { sizeAndLimit } from "../../text/human_size.ts";
import type { ClassicContext } from "./context.ts";
import { inSystemWords } from "./system_words.ts";

export class FolderWalk {
  readonly #pace: Pace;
  readonly #limit: number;
  #length = 0;

  constructor({ call, maxSize }: ClassicContext) {
    this.#pace = new Pace(call.signal);
    this.#limit = maxSize;
  }

  /** What is in a folder, with the path of each entry. */
  async entries(folder: ConfinedPath): Promise<(NamedEntry & { path: ConfinedPath })[]> {
    await this.#pace.step();
    const { entries } = await inSystemWords(
      { call: "scandir", path: folder.absolute },
      () => namesIn(folder),
    );
    return entries.map((entry) => ({ ...entry, path: childOf(folder, entry.name) }));
  }

  /** Lets others have a turn. */
  async step(): Promise<void> {
    await this.#pace.step();
  }

  /** Counts the size of the answer, which is limited. */
  count(length: number): void {
    this.#length += length;
    if (this.#length <= this.#limit) return;
    throw new PaddockError(
      "TOO_LARGE",
      `Too much output (${
        sizeAndLimit(this.#length, this.#limit)
      }, set by the server's --max-size); choose a ` +
        "directory further down, or exclude more with excludePatterns",
    );
  }
}
