/** The roots and workspaces whose changes are shown. */
import type { Source } from "../../src/console/api_types.ts";
import type { Console } from "../model/console.ts";
import { NO_FILTERS, timeline } from "../model/route.ts";
import { ago, count } from "../text/times.ts";
import { useNow, useStore } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Link } from "./link.tsx";
import { Empty } from "./states.tsx";
import { Card, Table } from "./table.tsx";
import { Shown } from "./text.tsx";

const KINDS = { root: "Roots", workspace: "Workspaces" } as const;

export function SourcesView({ app }: { app: Console }) {
  const { sources, truncated } = useStore(app.sources);
  const now = useNow(10_000);
  return (
    <div class="sources">
      <header class="view-head">
        <h1 tabIndex={-1}>Roots and workspaces</h1>
      </header>
      {sources.length === 0 && (
        <Empty title="No workspaces yet">
          <p>A workspace appears here as soon as an agent creates it.</p>
        </Empty>
      )}
      {(["root", "workspace"] as const).map((kind) => {
        const some = sources.filter((source) => source.kind === kind);
        if (some.length === 0) return null;
        return (
          <Card
            key={kind}
            id={`kind-${kind}`}
            title={
              <>
                {KINDS[kind]} <span class="muted">{count(some.length)}</span>
              </>
            }
          >
            <Table
              heading={`kind-${kind}`}
              rows={some}
              keyOf={({ id }) => id}
              columns={[
                { name: "Name", cell: (source) => <Name app={app} source={source} /> },
                {
                  name: "Changes",
                  kind: "number",
                  cell: ({ changes }) => changes === null ? "–" : count(changes),
                },
                { name: "Last change", cell: ({ newest }) => newest === null ? "–" : ago(newest, now) },
                { name: "Undo", cell: (source) => <State source={source} /> },
                {
                  name: "Folder",
                  kind: "long",
                  cell: ({ directory }) => (
                    <span class="mono">
                      <Shown text={directory} />
                    </span>
                  ),
                },
              ]}
            />
          </Card>
        );
      })}
      {truncated && <p class="muted">There are more workspaces than are listed here.</p>}
    </div>
  );
}

function Name({ app, source: { id, kind, name } }: { app: Console; source: Source }) {
  return (
    <span class="client">
      <Icon name={kind === "root" ? "folder" : "branch"} />
      <Link app={app} to={timeline({ ...NO_FILTERS, sources: [id] })}>
        <Shown text={name} />
      </Link>
    </span>
  );
}

function State({ source: { state, note, can_undo } }: { source: Source }) {
  if (state === "unavailable") {
    return (
      <span class="outcome is-error">
        unavailable{note !== null && (
          <>
            : <Shown text={note} />
          </>
        )}
      </span>
    );
  }
  if (!can_undo) return <span class="muted">read-only</span>;
  return state === "empty" ? <span class="muted">no changes yet</span> : <span>available</span>;
}
