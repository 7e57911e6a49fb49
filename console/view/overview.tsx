/** Who is connected, what they call, and what was refused. */
import type { Connection, Figures, Overview } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { NO_FILTERS, timeline } from "../model/route.ts";
import { ago, clockOf, count, counted } from "../text/times.ts";
import { Bars } from "./bars.tsx";
import { Calls } from "./calls.tsx";
import { useAgain, useAsked, useNow, useStore } from "./hooks.ts";
import { Link } from "./link.tsx";
import { Mark } from "./rows.tsx";
import { Failed, Loading } from "./states.tsx";
import { Card, Table } from "./table.tsx";
import { Shown } from "./text.tsx";

export function OverviewView({ app }: { app: Console }) {
  const asked = useAsked(app, { key: "", ask: (signal) => get("overview", { signal }) });
  const fresh = useStore(app.overview);
  useAgain(app, asked.again);
  if (asked.error !== null) return <Failed error={asked.error} again={asked.again} />;
  if (asked.value === null) return <Loading what="the overview" />;
  const overview: Overview = { ...asked.value, ...fresh };
  const { server, connections, figures, recent } = overview;
  return (
    <div class="overview">
      <header class="view-head">
        <h1 tabIndex={-1}>Overview</h1>
        {server !== null && (
          <p class="muted">
            paddock {server.version} · {server.surface} · up since {clockOf(server.started)}
          </p>
        )}
      </header>
      {figures === null
        ? <ChangeTiles app={app} recent={recent} />
        : <CallTiles figures={figures} connections={connections} />}
      {figures !== null && (
        <Card id="minutes" title="Calls per minute">
          <Bars minutes={figures.minutes} />
        </Card>
      )}
      {server !== null && <Connections app={app} connections={connections} />}
      <Recent app={app} recent={recent} />
      {server !== null && <Calls app={app} />}
      {server === null && (
        <p class="muted">
          To see connections, calls and refusals as well, start an HTTP server with{" "}
          <span class="mono">--console</span>.
        </p>
      )}
    </div>
  );
}

interface Tile {
  readonly name: string;
  readonly value: number;
  readonly note: string;
  readonly isBad?: boolean;
}

function CallTiles({ figures, connections }: { figures: Figures; connections: readonly Connection[] }) {
  const lastHour = (name: "calls" | "errors" | "refusals") =>
    figures.minutes.reduce((sum, minute) => sum + minute[name], 0);
  const note = (inAll: number) => `in the last hour, ${count(inAll)} in total`;
  const [errors, refusals] = [lastHour("errors"), lastHour("refusals")];
  return (
    <Tiles
      tiles={[
        {
          name: "Connected",
          value: connections.length,
          note: connections.length === 1 ? "client" : "clients",
        },
        { name: "Calls", value: lastHour("calls"), note: note(figures.calls) },
        { name: "Errors", value: errors, note: note(figures.errors), isBad: errors > 0 },
        { name: "Refusals", value: refusals, note: note(figures.refusals), isBad: refusals > 0 },
      ]}
    />
  );
}

function ChangeTiles({ app, recent }: { app: Console; recent: Overview["recent"] }) {
  const { sources } = useStore(app.sources);
  const lately = "in the last 24 hours";
  const many = (kind: string) => sources.filter((source) => source.kind === kind).length;
  return (
    <Tiles
      tiles={[
        { name: "Changes", value: recent.reduce((sum, { changes }) => sum + changes, 0), note: lately },
        { name: "Clients", value: recent.length, note: lately },
        ...many("root") > 0 ? [{ name: "Roots", value: many("root"), note: "watched" }] : [],
        ...many("workspace") > 0 ? [{ name: "Workspaces", value: many("workspace"), note: "watched" }] : [],
      ]}
    />
  );
}

function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ name, value, note, isBad = false }) => (
        <div class="tile" key={name}>
          <dt>{name}</dt>
          <dd>
            <span class={isBad ? "figure is-bad" : "figure"}>{count(value)}</span>
            <span class="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Connections({ app, connections }: { app: Console; connections: readonly Connection[] }) {
  const now = useNow(10_000);
  return (
    <Card id="connections" title="Connected clients">
      {connections.length === 0 ? <p class="muted">No clients are connected.</p> : (
        <Table
          heading="connections"
          rows={connections}
          keyOf={({ session }) => session}
          columns={[
            {
              name: "Client",
              cell: ({ client, version }) => (
                <>
                  <Client app={app} client={client} />{" "}
                  <span class="muted">
                    <Shown text={version ?? ""} />
                  </span>
                </>
              ),
            },
            { name: "Transport", cell: ({ transport }) => transport },
            { name: "Calls", kind: "number", cell: ({ calls }) => count(calls) },
            { name: "Errors", kind: "number", cell: ({ errors }) => count(errors) },
            { name: "Refusals", kind: "number", cell: ({ refusals }) => count(refusals) },
            { name: "Connected", cell: ({ since }) => ago(since, now) },
            {
              name: "Last call",
              cell: ({ last_call }) => last_call === null ? "none yet" : ago(last_call, now),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Client({ app, client }: { app: Console; client: string | null }) {
  const name = client ?? "Unknown client";
  return (
    <span class="client">
      <Mark name={name} />
      {client === null ? name : (
        <Link app={app} to={timeline({ ...NO_FILTERS, client })}>
          <Shown text={client} />
        </Link>
      )}
    </span>
  );
}

function Recent({ app, recent }: { app: Console; recent: Overview["recent"] }) {
  const now = useNow(10_000);
  useStore(app.sources);
  return (
    <Card id="recent" title="Changes in the last 24 hours">
      {recent.length === 0 ? <p class="muted">No changes in the last 24 hours.</p> : (
        <ul class="plain-list">
          {recent.map(({ client, changes, newest, sources }) => (
            <li key={client ?? ""}>
              <Client app={app} client={client} />
              <span>{counted(changes, "change")}</span>
              <span class="muted">
                in <Shown text={sources.map((id) => app.nameOf(id)).join(", ")} />
              </span>
              <span class="muted is-end">{ago(newest, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
