/** The history of one file, version by version. */
import { useEffect, useState } from "preact/hooks";
import type { FileVersion } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { timeline } from "../model/route.ts";
import { whoOf } from "../model/rows.ts";
import { bytes, fullTime, shortTime } from "../text/times.ts";
import { visibleText } from "../text/visible.ts";
import { FileSection } from "./files.tsx";
import { useAgain, useAsked, useKeys, useStore } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { LayoutSwitch } from "./layout_switch.tsx";
import { Link } from "./link.tsx";
import { Mark } from "./rows.tsx";
import { Empty, Failed, Loading } from "./states.tsx";
import { PathText, Shown } from "./text.tsx";

interface Props {
  readonly app: Console;
  readonly source: string;
  readonly path: string;
  readonly version: string | null;
}

export function FileHistoryView({ app, source, path, version }: Props) {
  const [more, setMore] = useState<{ versions: FileVersion[]; next: string | null } | null>(null);
  useStore(app.sources);
  const asked = useAsked(app, {
    key: `${source} ${path}`,
    ask: (signal) => get("file", { query: { source, path }, signal }),
  });
  useAgain(app, asked.again, (change) => change.source === source); // it may concern this file
  useEffect(() => setMore(null), [asked.value]);
  const versions = [...asked.value?.versions ?? [], ...more?.versions ?? []];
  const next = more === null ? asked.value?.next ?? null : more.next;
  const chosen = versions.find(({ change }) => change.id === version) ?? versions[0];
  const choose = (step: number) => {
    const to = versions[versions.indexOf(chosen ?? versions[0] as FileVersion) + step];
    if (to === undefined) return;
    app.go({ view: "file", source, path, version: to.change.id }, { replace: true });
    document.querySelector(`[data-change-id="${CSS.escape(to.change.id)}"]`)?.scrollIntoView({
      block: "nearest",
    });
  };
  useKeys({
    j: () => choose(1),
    k: () => choose(-1),
    Escape: () => history.length > 1 ? history.back() : app.go(timeline()),
  });
  const older = async () => {
    if (next === null) return;
    try {
      const page = await get("file", { query: { source, path, cursor: next } });
      setMore({ versions: [...more?.versions ?? [], ...page.versions], next: page.next });
    } catch (error) {
      app.tell(app.failed(error)?.message ?? "");
    }
  };
  const now = asked.value?.now;
  return (
    <div class="file-view">
      <header class="view-head">
        <Link app={app} to={timeline()} class="button small quiet">
          <Icon name="back" />Timeline
        </Link>
        <h1 tabIndex={-1}>
          <PathText path={path} />
        </h1>
        <p class="muted">
          <Shown text={app.nameOf(source)} />
          {now !== undefined && (now.kind === "absent"
            ? " · not there now"
            : ` · ${now.size === null ? now.kind : bytes(now.size)}`)}
        </p>
        <Link
          app={app}
          to={timeline({ sources: [source], client: "", tool: "", path, since: "" })}
          class="button small quiet"
        >
          Show in timeline
        </Link>
      </header>
      {asked.error !== null
        ? <Failed error={asked.error} again={asked.again} />
        : asked.value === null
        ? <Loading what="the history" />
        : versions.length === 0
        ? <Empty title="No changes recorded for this file" />
        : (
          <div class="versions">
            <ol class="version-list" aria-label="Versions">
              {versions.map((one) => (
                <Version
                  key={one.change.id}
                  app={app}
                  one={one}
                  chosen={one === chosen}
                  view={{ source, path }}
                />
              ))}
              {next !== null && (
                <li>
                  <button type="button" class="button" onClick={older}>Older versions</button>
                </li>
              )}
            </ol>
            {chosen !== undefined && <VersionDiff app={app} one={chosen} key={chosen.change.id} />}
          </div>
        )}
    </div>
  );
}

const STATUS = { created: "Added", changed: "Changed", removed: "Removed", moved: "Moved" } as const;

function Version({ app, one, chosen, view }: {
  app: Console;
  one: FileVersion;
  chosen: boolean;
  view: { source: string; path: string };
}) {
  const { change, status, restore_at: at } = one;
  const who = whoOf(change);
  return (
    <li class={chosen ? "version is-open" : "version"} data-change-id={change.id}>
      <Mark name={who} />
      <div class="version-text">
        <Link app={app} to={{ view: "file", ...view, version: change.id }} class="row-link">
          <span class={`status is-${status}`}>{STATUS[status]}</span> by <Shown text={who} />
        </Link>
        <span class="muted" title={fullTime(change.time)}>
          <Shown text={change.tool} /> · {shortTime(change.time)}
        </span>
        {one.to !== null && (
          <span class="muted">
            to <Shown text={one.to} />
          </span>
        )}
      </div>
      {at !== null && app.source(view.source)?.can_restore !== false && (
        <button
          type="button"
          class="button small row-button"
          onClick={() =>
            app.acts.begin({ kind: "restore", source: view.source, path: view.path, at, when: change.time })}
        >
          Restore
        </button>
      )}
    </li>
  );
}

function VersionDiff({ app, one }: { app: Console; one: FileVersion }) {
  const { source, id } = one.change;
  const asked = useAsked(app, {
    key: `${source} ${id}`,
    ask: (signal) => get("change", { query: { source, id }, signal }),
  });
  const file = asked.value?.files.find((file) =>
    file.path === one.path || file.to === one.path || file.to === one.to
  );
  return (
    <section class="version-diff" aria-label={`Version of ${visibleText(fullTime(one.change.time))}`}>
      {asked.error !== null
        ? <Failed error={asked.error} again={asked.again} />
        : asked.value === null
        ? <Loading what="the diff" />
        : (
          <>
            <div class="version-head">
              <Link app={app} to={timeline(undefined, { source, id })}>Show the whole change</Link>
              <LayoutSwitch />
            </div>
            {file === undefined
              ? <Empty title="This change does not list the file" />
              : <FileSection app={app} file={file} change={asked.value.change} open plain />}
          </>
        )}
    </section>
  );
}
