/** What is shown instead of missing content: loading, empty, failed. */
import type { ComponentChildren } from "preact";
import type { ApiError } from "../model/api.ts";
import { sentence } from "../text/sentence.ts";
import { Shown } from "./text.tsx";
import { Icon, type IconName } from "./icons.tsx";

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="sr-only">Loading {what}…</span>
      {[0, 1, 2, 3, 4, 5].map((line) => <span key={line} class={`bone bone-${line}`} />)}
    </div>
  );
}

/** A line that a person should not miss. */
export function Note({ icon, tone, children }: {
  icon: IconName;
  tone?: "warning" | "undone-note";
  children: ComponentChildren;
}) {
  return (
    <p class={tone === undefined ? "note" : `note is-${tone}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Failed({ error, again }: { error: ApiError; again?: () => void }) {
  const title = error.code === "OFFLINE"
    ? "Can’t reach the server"
    : error.code === "NOT_FOUND"
    ? "Not found"
    : "Something went wrong";
  return (
    <div class="empty" role="alert">
      <Icon name="warning" />
      <p class="empty-title">{title}</p>
      <p>
        <Shown text={sentence(error.message)} />
      </p>
      {again !== undefined && <button type="button" class="button" onClick={again}>Try again</button>}
    </div>
  );
}
