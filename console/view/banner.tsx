/** What a person must know in every view: the state of the connection, and what was just done. */
import type { Console } from "../model/console.ts";
import { timeline } from "../model/route.ts";
import { useNow, useStore } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Link } from "./link.tsx";

export function LostBanner({ app }: { app: Console }) {
  const connection = useStore(app.live.connection);
  const now = useNow(1_000);
  if (connection.state !== "lost") return null;
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1_000));
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <span>
        Connection lost. What you see may be out of date.
        <span class="muted" aria-hidden="true">
          {seconds > 0 ? ` Retrying in ${seconds} s.` : " Retrying…"}
        </span>
      </span>
      <button type="button" class="button small" onClick={() => app.live.retry()}>Retry now</button>
    </div>
  );
}

/** Replaces the whole page: only a new address helps. If that is opened in another tab, this one continues too. */
export function EndedView({ app }: { app: Console }) {
  return (
    <div class="ended" role="alert">
      <h1 tabIndex={-1}>This session has ended</h1>
      <p>
        The server was restarted, or the session expired. Press <kbd>Enter</kbd>{" "}
        in the terminal where paddock runs, then open the link it prints. This page will catch up.
      </p>
      <button type="button" class="button" onClick={() => app.live.retry()}>Try again</button>
    </div>
  );
}

export function NoticeBar({ app }: { app: Console }) {
  const notice = useStore(app.notice);
  return (
    <div class="notices" role="status">
      {notice !== null && (
        <div class="notice">
          <span>{notice.text}</span>
          {notice.open !== null && <Link app={app} to={timeline(undefined, notice.open)}>Show</Link>}
          <button
            type="button"
            class="button quiet icon-only small"
            aria-label="Dismiss"
            onClick={() => app.notice.set(null)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
