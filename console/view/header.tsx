/** The bar at the top: views, connection state, theme, help. */
import type { Console } from "../model/console.ts";
import { type Theme, theme } from "../model/preferences.ts";
import { type Route, timeline } from "../model/route.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Link } from "./link.tsx";
import { useStore } from "./hooks.ts";

const VIEWS: readonly { name: string; view: Route["view"]; to: Route }[] = [
  { name: "Timeline", view: "timeline", to: timeline() },
  { name: "Overview", view: "overview", to: { view: "overview" } },
  { name: "Workspaces", view: "sources", to: { view: "sources" } },
];

const THEMES: Readonly<Record<Theme, { next: Theme; icon: IconName; name: string }>> = {
  system: { next: "light", icon: "system", name: "system" },
  light: { next: "dark", icon: "sun", name: "light" },
  dark: { next: "system", icon: "moon", name: "dark" },
};

export function Header({ app, view }: { app: Console; view: Route["view"] }) {
  const { sources } = useStore(app.sources);
  const worn = useStore(theme);
  const { next, icon, name } = THEMES[worn];
  const someWorkspaces = sources.some(({ kind }) => kind === "workspace");
  return (
    <header class="top">
      <Link app={app} to={timeline()} class="brand">
        <Logo />paddock
      </Link>
      <nav aria-label="Views">
        {VIEWS.map((one) => (
          <Link key={one.name} app={app} to={one.to} current={one.view === view}>
            {one.view === "sources" && !someWorkspaces ? "Roots" : one.name}
          </Link>
        ))}
      </nav>
      <div class="top-end">
        <LiveState app={app} />
        <button
          type="button"
          class="button quiet icon-only"
          aria-label={`Theme: ${name}. Switch to ${THEMES[next].name}`}
          title={`Theme: ${name}`}
          onClick={() => theme.set(next)}
        >
          <Icon name={icon} />
        </button>
        <button
          type="button"
          class="button quiet icon-only help-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => app.help.set(true)}
        >
          ?
        </button>
      </div>
    </header>
  );
}

/** A gate in a fence. */
function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true" focusable="false">
      <path d="M2 2.5v11M14 2.5v11M2 5h12M2 11h12M2 11l12-6" />
    </svg>
  );
}

function LiveState({ app }: { app: Console }) {
  const { state } = useStore(app.live.connection);
  const text = { connecting: "Connecting", live: "Live", lost: "Reconnecting", ended: "Ended" }[state];
  return (
    <span class={`live is-${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}
