/**
 * How the files concerned stood when they were looked at. Whoever changes one of them after that has written what
 * is in no commit yet; so each is looked at again right before it is replaced or removed.
 */
import { PaddockError } from "../../base/errors.ts";
import { lstat } from "../../confine/confined_fs.ts";
import { quote } from "../../confine/path_rules.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";
import { stampOf } from "../stamps.ts";
import { Pace } from "../yield.ts";

export class Seen {
  readonly #stamps = new Map<string, { readonly path: ConfinedPath; readonly stamp: string }>();

  /** `info` is from before the file was read; undefined when there was none. */
  note(path: ConfinedPath, info: Deno.FileInfo | undefined): void {
    this.#stamps.set(path.absolute, { path, stamp: stampOfState(info) });
  }

  /** Whether a path is as it was; undefined for one that was not looked at. */
  isSame(path: ConfinedPath): boolean | undefined {
    const known = this.#stamps.get(path.absolute);
    return known === undefined ? undefined : known.stamp === stampOfState(lstat(path));
  }

  /** Throws when one of them is not any more as it was. */
  async check(signal: AbortSignal | undefined): Promise<void> {
    const pace = new Pace(signal);
    for (const { path, stamp } of this.#stamps.values()) {
      await pace.step();
      if (stampOfState(lstat(path)) === stamp) continue;
      throw new PaddockError(
        "CONFLICT",
        `${quote(path.given)} was changed by somebody else meanwhile; try again`,
      );
    }
  }
}

/** Says of what is at a path, or that nothing is, whether it is what was there before. */
export function stampOfState(info: Deno.FileInfo | undefined): string {
  return info === undefined ? "none" : `${stampOf(info)} ${info.ctime?.getTime()}`;
}
