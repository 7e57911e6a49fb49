/** Reports changed names over a port, those of the same moment together. */
import { watchNames } from "../confine/name_changes.ts";

const TOGETHER_MS = 10;

export function tellNamesOver(port: MessagePort): void {
  const changed = new Set<string>();
  watchNames((place) => {
    if (changed.size === 0) {
      setTimeout(() => {
        port.postMessage({ changed: [...changed] });
        changed.clear();
      }, TOGETHER_MS);
    }
    changed.add(place);
  });
}
