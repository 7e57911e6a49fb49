/** A dialog above the page: it takes the focus and returns it when it closes. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

interface Props {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
  readonly foot: ComponentChildren;
  onClose(): void;
}

export function Dialog({ title, wide = false, children, foot, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>("h2")?.focus();
    return () => {
      element?.close();
      focusAgain(before);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog is-wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-inner">
        <header class="dialog-head">
          <h2 id={heading} tabIndex={-1}>{title}</h2>
          <button type="button" class="button quiet icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="dialog-body" tabIndex={0} role="region" aria-labelledby={heading}>{children}</div>
        <footer class="dialog-foot">{foot}</footer>
      </div>
    </dialog>
  );
}

/** Where it was or, if that is gone, at the heading of the current view. */
function focusAgain(before: Element | null): void {
  setTimeout(() => {
    const target = before instanceof HTMLElement && before.isConnected && before !== document.body
      ? before
      : document.querySelector<HTMLElement>(".change-pane h2, main h1");
    target?.focus({ preventScroll: true });
  });
}
