/** One change: who, when, what, and how to undo it. */
import { useEffect, useRef } from "preact/hooks";
import type { Change } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { type ChangeKey, keyOf, NO_FILTERS, sameKey, timeline } from "../model/route.ts";
import { whoOf } from "../model/rows.ts";
import { ago, counted, fullTime } from "../text/times.ts";
import { visibleText } from "../text/visible.ts";
import { FileList } from "./files.tsx";
import { useAsked, useKeys, useNow, useStore } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Link } from "./link.tsx";
import { Mark, Summary } from "./rows.tsx";
import { Empty, Failed, Loading, Note } from "./states.tsx";
import { Shown } from "./text.tsx";

export function ChangePane({ app, name }: { app: Console; name: ChangeKey }) {
  const { changes } = useStore(app.changes.list);
  const listed = changes.find((change) => sameKey(change, name));
  const asked = useAsked(app, {
    // Asked again when it has changed: undone, or redone.
    key: `${keyOf(name)} ${listed?.undone_by ?? ""}`,
    ask: (signal) => get("change", { query: { source: name.source, id: name.id }, signal }),
  });
  const pane = useRef<HTMLElement>(null);
  const close = () => {
    const route = app.route.value;
    app.go(timeline(route.view === "timeline" ? route.filters : NO_FILTERS));
  };
  useKeys({ Escape: close });
  useEffect(() => {
    if (asked.value === null) return;
    app.say(`Change shown: ${visibleText(asked.value.change.summary)}`);
    if (isInList(document.activeElement)) return; // the focus stays in the list, so that j and k go on
    pane.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [asked.value === null]);
  const change = listed ?? asked.value?.change;
  return (
    <section class="change-pane" ref={pane} aria-label="Change" aria-busy={asked.loading}>
      <div class="pane-bar">
        <button type="button" class="button small quiet back" onClick={close}>
          <Icon name="back" />Timeline
        </button>
        <span class="muted mono pane-id">
          <Shown text={name.id} />
        </span>
        <button
          type="button"
          class="button small quiet icon-only pane-close"
          aria-label="Close"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="pane-body" tabIndex={-1}>
        {change !== undefined && <Head app={app} change={change} />}
        {asked.error?.code === "NOT_FOUND"
          ? (
            <Empty title="Change not found">
              <p>It is no longer recorded, or the address is wrong.</p>
            </Empty>
          )
          : asked.error !== null
          ? <Failed error={asked.error} again={asked.again} />
          : asked.value === null
          ? <Loading what="the change" />
          : (
            <FileList
              app={app}
              files={asked.value.files}
              fileCount={asked.value.file_count}
              change={asked.value.change}
            />
          )}
      </div>
    </section>
  );
}

function isInList(element: Element | null): boolean {
  return element !== null && element.closest(".rows") !== null && element.checkVisibility();
}

function Head({ app, change }: { app: Console; change: Change }) {
  const now = useNow(30_000);
  useStore(app.sources);
  const source = app.source(change.source);
  const who = whoOf(change);
  const mayUndo = app.mayUndo(change);
  return (
    <header class="change-head">
      <div class="change-title">
        <h2 tabIndex={-1}>
          <Summary change={change} />
        </h2>
        {mayUndo && (
          <button
            type="button"
            class="button primary"
            onClick={() => app.acts.begin({ kind: "undo", change })}
          >
            <Icon name="undo" />Undo
          </button>
        )}
      </div>
      <dl class="facts">
        <div>
          <dt>Client</dt>
          <dd class="client">
            <Mark name={who} />
            <span>
              <Shown text={who} />
            </span>
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            <time dateTime={change.time}>{fullTime(change.time)}</time>{" "}
            <span class="muted">{ago(change.time, now)}</span>
          </dd>
        </div>
        <div>
          <dt>{source?.kind === "workspace" ? "Workspace" : "Root"}</dt>
          <dd title={source?.directory ?? ""}>
            <Shown text={app.nameOf(change.source)} />
          </dd>
        </div>
        {change.session !== null && (
          <div>
            <dt>Session</dt>
            <dd class="mono">
              <Shown text={change.session.slice(0, 8)} />
            </dd>
          </div>
        )}
        <div>
          <dt>Changed</dt>
          <dd>{counted(change.path_count, "path")}</dd>
        </div>
      </dl>
      <Relations app={app} change={change} />
    </header>
  );
}

/** What it undoes, what undid it, and its other half. */
function Relations({ app, change }: { app: Console; change: Change }) {
  const to = (source: string, id: string) => (
    <Link app={app} to={timeline(NO_FILTERS, { source, id })}>
      <span class="mono">
        <Shown text={id} />
      </span>
    </Link>
  );
  return (
    <>
      {change.undone_by !== null && (
        <Note icon="undo" tone="undone-note">
          Undone by {to(change.source, change.undone_by)}. To redo this change, undo that one.
        </Note>
      )}
      {change.undoes.length > 0 && (
        <Note icon="undo">
          Undoes {change.undoes.map((id, i) => <span key={id}>{i > 0 && ", "}{to(change.source, id)}</span>)}.
        </Note>
      )}
      {!change.undoable && change.undone_by === null && (
        <Note icon="warning" tone="warning">
          This can’t be undone: <Shown text={change.why_not ?? "it was not recorded."} />
        </Note>
      )}
      {change.also !== null && (
        <Note icon="folder">
          The same call also changed the root <Shown text={change.also.root} />: {change.also.source === null
            ? (
              <span class="mono">
                <Shown text={change.also.id} />
              </span>
            )
            : to(change.also.source, change.also.id)}. Undo each on its own.
        </Note>
      )}
    </>
  );
}
