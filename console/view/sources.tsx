/** The roots and workspaces that are looked at. */
import type { Source } from "../../src/console/api_types.ts";
import type { Console } from "../model/console.ts";
import { NO_FILTERS, timeline } from "../model/route.ts";
import { ago, count } from "../text/times.ts";
import { useNow, useStore } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Link } from "./link.tsx";
import { Empty } from "./states.tsx";
import { Shown } from "./text.tsx";

const KINDS = { root: "Roots", workspace: "Workspaces" } as const;

export function SourcesView({ app }: { app: Console }) {
  const { sources, truncated } = useStore(app.sources);
  return (
    <div class="sources">
      <header class="view-head">
        <h1 tabIndex={-1}>Roots and workspaces</h1>
      </header>
      {sources.length === 0 && <Empty title="Nothing is looked at yet" />}
      {(["root", "workspace"] as const).map((kind) => {
        const some = sources.filter((source) => source.kind === kind);
        return some.length > 0 && <Sources key={kind} app={app} kind={kind} sources={some} />;
      })}
      {truncated && <p class="muted">There are more workspaces than are listed.</p>}
    </div>
  );
}

function Sources({ app, kind, sources }: { app: Console; kind: Source["kind"]; sources: readonly Source[] }) {
  const now = useNow(10_000);
  return (
    <section class="card" aria-labelledby={`kind-${kind}`}>
      <h2 id={`kind-${kind}`}>
        {KINDS[kind]} <span class="muted">{count(sources.length)}</span>
      </h2>
      <div class="table-frame" tabIndex={0} role="region" aria-labelledby={`kind-${kind}`}>
        <table class="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Folder</th>
              <th class="is-number">Changes</th>
              <th>Newest</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={source.id}>
                <td>
                  <span class="client">
                    <Icon name={kind === "root" ? "folder" : "branch"} />
                    <Link app={app} to={timeline({ ...NO_FILTERS, sources: [source.id] })}>
                      <Shown text={source.name} />
                    </Link>
                  </span>
                </td>
                <td class="mono is-long">
                  <Shown text={source.directory} />
                </td>
                <td class="is-number">{source.changes === null ? "–" : count(source.changes)}</td>
                <td>{source.newest === null ? "–" : ago(source.newest, now)}</td>
                <td>
                  <State source={source} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
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
  if (state === "empty") return <span class="muted">nothing recorded yet</span>;
  return can_undo ? <span>can be undone</span> : <span class="muted">read only</span>;
}
