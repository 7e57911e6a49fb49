/** Whether diffs have one column or two; the browser remembers the choice. */
import { layoutOfDiffs } from "../model/preferences.ts";
import { useKeys, useStore } from "./hooks.ts";

export function LayoutSwitch() {
  const layout = useStore(layoutOfDiffs);
  useKeys({ s: () => layoutOfDiffs.set(layout === "inline" ? "split" : "inline") });
  return (
    <div class="switch of-layout" role="group" aria-label="Diff layout">
      <button type="button" aria-pressed={layout === "inline"} onClick={() => layoutOfDiffs.set("inline")}>
        Inline
      </button>
      <button type="button" aria-pressed={layout === "split"} onClick={() => layoutOfDiffs.set("split")}>
        Side by side
      </button>
    </div>
  );
}
