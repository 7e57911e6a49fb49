/** The viewer and the hand at their ends of a port, each in the thread in which it was started. */
import type { ConsoleSources } from "../base/config.ts";
import { PaddockError } from "../base/errors.ts";
import { answerOn } from "./port.ts";

export interface ServeOptions {
  /** Has the main thread, which may write, hold a store's database open. */
  readonly hold: (store: string) => Promise<void>;
  /** Whether directories were replaced by ones that this thread has no rules for. */
  readonly areReplaced: () => boolean;
}

export async function serveView(
  port: MessagePort,
  sources: ConsoleSources,
  { hold, areReplaced }: ServeOptions,
): Promise<void> {
  const { Viewer } = await import("./view/viewer.ts");
  const { Watcher } = await import("./view/watcher.ts");
  const viewer = new Viewer(sources, { hold });
  const watcher = new Watcher(viewer, { tell: (event) => tell(event), areReplaced });
  const tell = answerOn(
    port,
    guarded(areReplaced, {
      sources: () => viewer.sources(),
      changes: (asked, signal) => viewer.changes(asked, signal),
      change: (asked, signal) => viewer.change(asked, signal),
      diff: (asked, signal) => viewer.diff(asked, signal),
      file: (asked, signal) => viewer.file(asked, signal),
      compare: (asked, signal) => viewer.compare(asked, signal),
      content: (asked) => viewer.content(asked),
      facets: () => viewer.facets(),
      recent: () => viewer.recent(),
      previewUndo: (asked, signal) => viewer.previewUndo(asked, signal),
      previewRestore: (asked, signal) => viewer.previewRestore(asked, signal),
      ready: () => {},
      watch: ({ isOn }: { isOn: boolean }) => watcher.watch(isOn),
    }),
  );
}

export async function serveHand(
  port: MessagePort,
  sources: ConsoleSources,
  { areReplaced }: Pick<ServeOptions, "areReplaced">,
): Promise<void> {
  const { Hand } = await import("./hand.ts");
  const hand = new Hand(sources);
  answerOn(
    port,
    guarded(areReplaced, {
      undo: (asked) => hand.undo(asked),
      restore: (asked) => hand.restore(asked),
    }),
  );
}

type Functions = Parameters<typeof answerOn>[1];

/** Nothing is started after the directories were replaced: a Worker with fresh rules has to take over. */
function guarded(areReplaced: () => boolean, functions: Functions): Functions {
  const check = (run: Functions[string]): Functions[string] => (args, signal) => {
    if (areReplaced()) {
      throw new PaddockError("CONFLICT", "a directory was replaced by another one; try again in a moment", {
        data: { reopen: true },
      });
    }
    return run(args, signal);
  };
  return Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, check(run)]));
}
