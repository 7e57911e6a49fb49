/** What is shown in place of what is not there: loading, empty, failed. */
import type { ComponentChildren } from "preact";
import type { ApiError } from "../model/api.ts";
import { Shown } from "./text.tsx";
import { Icon } from "./icons.tsx";

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="sr-only">Loading {what}…</span>
      {[0, 1, 2, 3, 4, 5].map((line) => <span key={line} class={`bone bone-${line}`} />)}
    </div>
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
    ? "The server cannot be reached"
    : error.code === "NOT_FOUND"
    ? "This is not here any more"
    : "That did not work";
  return (
    <div class="empty" role="alert">
      <Icon name="warning" />
      <p class="empty-title">{title}</p>
      <p>
        <Shown text={error.message} />
      </p>
      {again !== undefined && <button type="button" class="button" onClick={again}>Try again</button>}
    </div>
  );
}
