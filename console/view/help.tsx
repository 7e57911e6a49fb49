/** The keyboard shortcuts. */
import type { Console } from "../model/console.ts";
import { Dialog } from "./dialog.tsx";
import { useStore } from "./hooks.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["j", "Next change"],
  ["k", "Previous change"],
  ["Enter", "Open the change"],
  ["u", "Undo the change, after a preview"],
  ["s", "Switch diffs: inline or side by side"],
  ["/", "Filter by path"],
  ["Esc", "Close or go back"],
  ["?", "Show this list"],
];

export function Help({ app }: { app: Console }) {
  const open = useStore(app.help);
  const version = useStore(app.version);
  if (!open) return null;
  const close = () => app.help.set(false);
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>Close</button>
          <span class="muted foot-note">paddock {version}</span>
        </>
      }
    >
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
