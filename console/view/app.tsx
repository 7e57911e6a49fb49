/** The page. */
import { useEffect, useRef } from "preact/hooks";
import type { Console } from "../model/console.ts";
import type { Route } from "../model/route.ts";
import { visibleText } from "../text/visible.ts";
import { ActDialog } from "./act_dialog.tsx";
import { EndedView, LostBanner, NoticeBar } from "./banner.tsx";
import { FileHistoryView } from "./file_history.tsx";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { useKeys, useStore } from "./hooks.ts";
import { OverviewView } from "./overview.tsx";
import { SourcesView } from "./sources.tsx";
import { Timeline } from "./timeline.tsx";

export function App({ app }: { app: Console }) {
  const route = useStore(app.route);
  const connection = useStore(app.live.connection);
  const said = useStore(app.said);
  const main = useRef<HTMLElement>(null);
  useKeys({
    "?": () => app.help.set(true),
    "/": () => document.getElementById("path-filter")?.focus(),
  });
  const drawn = useRef(route.view);
  useEffect(() => {
    document.title = `${titleOf(route)} · paddock`;
    if (drawn.current !== route.view) {
      main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    }
    drawn.current = route.view;
  }, [route]);
  const ended = connection.state === "ended";
  return (
    <>
      <a class="skip" href="#main">Skip to content</a>
      <Header app={app} view={route.view} />
      <LostBanner app={app} />
      <main id="main" ref={main} tabIndex={-1} class={`view-${route.view}`}>
        {ended ? <EndedView app={app} /> : <View app={app} route={route} />}
      </main>
      <NoticeBar app={app} />
      {!ended && <ActDialog app={app} />}
      <Help app={app} />
      <div class="sr-only" role="status" aria-live="polite">{said}</div>
    </>
  );
}

function View({ app, route }: { app: Console; route: Route }) {
  switch (route.view) {
    case "timeline":
      return <Timeline app={app} filters={route.filters} open={route.open} />;
    case "file":
      return (
        <FileHistoryView
          key={`${route.source} ${route.path}`}
          app={app}
          source={route.source}
          path={route.path}
          version={route.version}
        />
      );
    case "overview":
      return <OverviewView app={app} />;
    case "sources":
      return <SourcesView app={app} />;
  }
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "timeline":
      return route.open === null ? "Timeline" : `Change ${visibleText(route.open.id)}`;
    case "file":
      return visibleText(route.path);
    case "overview":
      return "Overview";
    case "sources":
      return "Roots and workspaces";
  }
}
