/** What happened, newest first, with the open change beside it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Change } from "../../src/console/api_types.ts";
import type { Console } from "../model/console.ts";
import {
  type ChangeKey,
  type Filters,
  hrefOf,
  isFiltered,
  keyOf,
  NO_FILTERS,
  timeline,
} from "../model/route.ts";
import { rowsOf, type TimelineRow } from "../model/rows.ts";
import { sentence } from "../text/sentence.ts";
import { count } from "../text/times.ts";
import { ChangePane } from "./change.tsx";
import { FilterBar } from "./filters.tsx";
import { useKeys, useSize, useStore } from "./hooks.ts";
import { ChangeRow, ClientRow, DayRow } from "./rows.tsx";
import { Empty, Failed, Loading } from "./states.tsx";
import { type WindowHandle, WindowList } from "./window_list.tsx";

const NARROW_PX = 760;
const FAR_PX = 200;

export function Timeline({ app, filters, open }: { app: Console; filters: Filters; open: ChangeKey | null }) {
  const list = useStore(app.changes.list);
  const wanted = JSON.stringify(filters);
  useEffect(() => {
    app.changes.load(filters);
  }, [wanted]);
  return (
    <div class={open === null ? "timeline" : "timeline has-open"}>
      <section class="list-pane" aria-label="Timeline">
        <h1 class="sr-only">Timeline</h1>
        <FilterBar app={app} filters={filters} />
        {list.changes.length > 0
          ? <Rows app={app} changes={list.changes} open={open} filters={filters} />
          : <NoRows app={app} filters={filters} />}
        <footer class="list-foot">
          <Foot app={app} />
        </footer>
      </section>
      {open !== null && <ChangePane app={app} name={open} key={keyOf(open)} />}
    </div>
  );
}

function Rows({ app, changes, open, filters }: {
  app: Console;
  changes: readonly Change[];
  open: ChangeKey | null;
  filters: Filters;
}) {
  const { fresh, loading } = useStore(app.changes.list);
  const { sources } = useStore(app.sources);
  const pane = useRef<HTMLDivElement>(null);
  const { width } = useSize(pane);
  const narrow = width < NARROW_PX;
  const rows = useMemo(() => rowsOf(changes, { narrow }), [changes, narrow]);
  const days = useMemo(() => daysOf(rows), [rows]);
  const handle = useRef<WindowHandle | null>(null);
  const openKey = open === null ? null : keyOf(open);
  const [chosen, setCursor] = useState<string | null>(openKey);
  const present = useMemo(() => new Map(changes.map((change, i) => [keyOf(change), i])), [changes]);
  const cursor = chosen !== null && present.has(chosen)
    ? chosen
    : changes[0] === undefined
    ? null
    : keyOf(changes[0]);
  const focusNext = useRef<string | null>(null);
  const [day, setDay] = useState("");
  const [scrolled, setScrolled] = useState<"no" | "little" | "far">("no");
  const unseen = scrolled === "far" ? fresh.size : 0;

  const show = (change: Change, replace: boolean) =>
    app.go(timeline(filters, { source: change.source, id: change.id }), { replace });
  const move = (step: number) => {
    const at = cursor === null ? -1 : present.get(cursor) ?? -1;
    const to = chosen === null && openKey === null ? 0 : Math.min(Math.max(at + step, 0), changes.length - 1);
    const change = changes[to];
    if (change === undefined) return;
    setCursor(keyOf(change));
    focusNext.current = keyOf(change);
    handle.current?.reveal(keyOf(change));
    if (open !== null) show(change, true);
  };
  const current = () => cursor === null ? undefined : changes[present.get(cursor) ?? -1];
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const change = current();
      if (change !== undefined) show(change, false);
    },
    u: () => {
      const change = open === null ? current() : changes[present.get(openKey ?? "") ?? -1];
      if (change === undefined) return;
      const isUndone = change.undone_by !== null;
      if (app.mayUndo(change)) app.acts.begin({ kind: "undo", change });
      else {app.tell(
          change.why_not ??
            (isUndone ? "This change is already undone." : "This change can’t be undone from here."),
        );}
    },
  });

  // A change opened by its address is scrolled into view; the row of one that was closed gets the focus back.
  const before = useRef(openKey);
  useEffect(() => {
    if (openKey !== null) {
      setCursor(openKey);
      handle.current?.reveal(openKey);
    } else if (before.current !== null) {
      focusNext.current = before.current;
      handle.current?.reveal(before.current);
    }
    before.current = openKey;
  }, [openKey, rows.length > 0]);
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    const id = changes[present.get(focusNext.current) ?? -1]?.id;
    const link = id === undefined ? null : pane.current?.querySelector<HTMLElement>(
      `[data-change-id="${CSS.escape(id)}"] .row-link`,
    );
    if (link === null || link === undefined) return;
    focusNext.current = null;
    link.focus({ preventScroll: true });
  });

  const nameOf = (id: string) => sources.length > 1 ? app.nameOf(id) : null;
  const draw = (row: TimelineRow, { top, height }: { top: number; height: number }) => {
    const style = { top: `${top}px`, height: `${height}px` };
    if (row.kind === "day") return <DayRow key={row.key} name={row.name} style={style} />;
    if (row.kind === "client") return <ClientRow key={row.key} row={row} style={style} />;
    const { change, key } = row;
    return (
      <ChangeRow
        key={key}
        change={change}
        href={hrefOf(timeline(filters, change))}
        state={{ open: key === openKey, cursor: key === cursor, fresh: fresh.has(key) }}
        sourceName={nameOf(change.source)}
        undo={open !== null ? "no room" : app.mayUndo(change) ? "offered" : "not possible"}
        style={style}
        onOpen={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          setCursor(key);
          show(change, open !== null);
        }}
        onUndo={() => {
          setCursor(key);
          app.acts.begin({ kind: "undo", change });
        }}
      />
    );
  };
  return (
    <div class={narrow ? "rows is-narrow" : "rows"} ref={pane} aria-busy={loading === "first"}>
      {day !== "" && scrolled !== "no" && <div class="day-now" aria-hidden="true">{day}</div>}
      {unseen > 0 && (
        <button type="button" class="button small news" onClick={() => handle.current?.toTop()}>
          {count(unseen)} new {unseen === 1 ? "change" : "changes"}
        </button>
      )}
      <WindowList
        rows={rows}
        label="Changes"
        keep={cursor}
        handle={handle}
        draw={draw}
        onScroll={({ first, top, nearEnd }) => {
          setScrolled(top > FAR_PX ? "far" : top > 8 ? "little" : "no");
          setDay(days.findLast(({ place }) => place <= first)?.name ?? "");
          if (nearEnd) app.changes.more();
        }}
      />
    </div>
  );
}

/** The names of the days, with the positions of their rows. */
function daysOf(rows: readonly TimelineRow[]): { place: number; name: string }[] {
  return rows.flatMap((row, place) => row.kind === "day" ? [{ place, name: row.name }] : []);
}

function NoRows({ app, filters }: { app: Console; filters: Filters }) {
  const { loading, error } = useStore(app.changes.list);
  if (error !== null) return <Failed error={error} again={() => app.changes.load(filters)} />;
  if (loading !== null) return <Loading what="changes" />;
  if (isFiltered(filters)) {
    return (
      <Empty title="No changes match these filters">
        <button type="button" class="button" onClick={() => app.go(timeline(NO_FILTERS))}>
          Clear filters
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="No changes yet">
      <p>As soon as an agent changes a file, it shows up here.</p>
    </Empty>
  );
}

function Foot({ app }: { app: Console }) {
  const { changes, next, loading, error, unavailable, filters } = useStore(app.changes.list);
  const { sources } = useStore(app.sources);
  const all = isFiltered(filters) ? null : sources.reduce<number | null>(
    (sum, source) => sum === null || source.changes === null ? null : sum + source.changes,
    0,
  );
  const shown = next === null
    ? `${count(changes.length)} ${changes.length === 1 ? "change" : "changes"}`
    : all === null
    ? `the latest ${count(changes.length)} changes`
    : `${count(changes.length)} of ${count(all)} changes`;
  return (
    <>
      <span>{changes.length === 0 ? "" : shown}</span>
      {loading === "more" && <span>Loading more…</span>}
      {error !== null && changes.length > 0 && (
        <span class="is-bad">
          {sentence(error.message)}{" "}
          <button type="button" class="link" onClick={() => app.changes.refresh()}>Try again</button>
        </span>
      )}
      {unavailable.map(({ source, note }) => (
        <span key={source} class="is-bad">{app.nameOf(source)}: {note}</span>
      ))}
    </>
  );
}
