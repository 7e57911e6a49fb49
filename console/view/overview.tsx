/** Who is connected, what they ask, and what was refused. */
import { useEffect, useState } from "preact/hooks";
import type { Call, Connection, Figures, Overview } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { NO_FILTERS, timeline } from "../model/route.ts";
import { ago, clockOf, clockWithSeconds, count, counted } from "../text/times.ts";
import { Bars } from "./bars.tsx";
import { useAgain, useAsked, useNow, useStore } from "./hooks.ts";
import { Link } from "./link.tsx";
import { Mark } from "./rows.tsx";
import { Empty, Failed, Loading } from "./states.tsx";
import { Shown } from "./text.tsx";

const CALLS = 100;

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
            paddock {server.version}, {server.surface}, since {clockOf(server.started)}
          </p>
        )}
      </header>
      {figures !== null && <FigureTiles figures={figures} connections={connections} />}
      {figures !== null && (
        <section class="card" aria-labelledby="minutes">
          <h2 id="minutes">Calls per minute</h2>
          <Bars minutes={figures.minutes} />
        </section>
      )}
      {server === null && (
        <p class="note">
          <span>
            This console reads what is recorded. To see who is connected, calls and refusals as well, start
            the server with <span class="mono">--console</span>.
          </span>
        </p>
      )}
      {server !== null && <Connections app={app} connections={connections} />}
      <Recent app={app} recent={recent} />
      {server !== null && <Calls app={app} />}
    </div>
  );
}

function FigureTiles({ figures, connections }: { figures: Figures; connections: readonly Connection[] }) {
  const lastHour = (name: "calls" | "errors" | "refusals") =>
    figures.minutes.reduce((sum, minute) => sum + minute[name], 0);
  const tiles: [string, number, string][] = [
    ["Connected", connections.length, connections.length === 1 ? "client" : "clients"],
    ["Calls", lastHour("calls"), `last hour, ${count(figures.calls)} in all`],
    ["Errors", lastHour("errors"), `last hour, ${count(figures.errors)} in all`],
    ["Refusals", lastHour("refusals"), `last hour, ${count(figures.refusals)} in all`],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value, note]) => (
        <div class="tile" key={name}>
          <dt>{name}</dt>
          <dd>
            <span
              class={value > 0 && (name === "Errors" || name === "Refusals") ? "figure is-bad" : "figure"}
            >
              {count(value)}
            </span>
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
    <section class="card" aria-labelledby="connections">
      <h2 id="connections">Connected</h2>
      {connections.length === 0
        ? <p class="muted">Nobody is connected now.</p>
        : (
          <div class="table-frame" tabIndex={0} role="region" aria-labelledby="connections">
            <table class="table">
              <thead>
                <tr>
                  <th>Client</th>
                  <th>Transport</th>
                  <th class="is-number">Calls</th>
                  <th class="is-number">Errors</th>
                  <th class="is-number">Refusals</th>
                  <th>Since</th>
                  <th>Last call</th>
                </tr>
              </thead>
              <tbody>
                {connections.map((one) => (
                  <tr key={one.session}>
                    <td>
                      <Client app={app} client={one.client} />{" "}
                      <span class="muted">
                        <Shown text={one.version ?? ""} />
                      </span>
                    </td>
                    <td>{one.transport}</td>
                    <td class="is-number">{count(one.calls)}</td>
                    <td class="is-number">{count(one.errors)}</td>
                    <td class="is-number">{count(one.refusals)}</td>
                    <td>{ago(one.since, now)}</td>
                    <td>{one.last_call === null ? "none yet" : ago(one.last_call, now)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
    </section>
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
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">Who changed something lately</h2>
      {recent.length === 0 ? <p class="muted">Nothing has been changed yet.</p> : (
        <ul class="plain-list">
          {recent.map(({ client, changes, newest, sources }) => (
            <li key={client ?? ""}>
              <Client app={app} client={client} />
              <span>{counted(changes, "change")}</span>
              <span class="muted">
                in <Shown text={sources.map((id) => app.source(id)?.name ?? id).join(", ")} />
              </span>
              <span class="muted is-end">{ago(newest, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The calls of the server, as they come. */
function Calls({ app }: { app: Console }) {
  const asked = useAsked(app, {
    key: "",
    ask: (signal) => get("calls", { query: { limit: CALLS }, signal }),
  });
  const [added, setAdded] = useState<readonly Call[]>([]);
  const [only, setOnly] = useState<"all" | "bad">("all");
  useEffect(() => app.live.on("call", (call) => setAdded((calls) => [call, ...calls].slice(0, CALLS))), []);
  const known = new Set(added.map(({ id }) => id));
  const all = [...added, ...(asked.value?.calls ?? []).filter(({ id }) => !known.has(id))].slice(0, CALLS);
  const calls = only === "all" ? all : all.filter(({ outcome }) => outcome !== "success");
  return (
    <section class="card" aria-labelledby="calls">
      <div class="card-head">
        <h2 id="calls">Latest calls</h2>
        <div class="switch" role="group" aria-label="Which calls">
          <button type="button" aria-pressed={only === "all"} onClick={() => setOnly("all")}>All</button>
          <button type="button" aria-pressed={only === "bad"} onClick={() => setOnly("bad")}>
            Errors and refusals
          </button>
        </div>
      </div>
      {asked.error !== null && <Failed error={asked.error} again={asked.again} />}
      {calls.length === 0 && asked.value !== null && (
        <Empty title={only === "all" ? "No call yet" : "None of them failed"} />
      )}
      {calls.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-labelledby="calls">
          <table class="table">
            <thead>
              <tr>
                <th>Time</th>
                <th>Client</th>
                <th>Tool</th>
                <th>Path</th>
                <th>Outcome</th>
                <th class="is-number">ms</th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <tr key={call.id}>
                  <td class="mono muted">{clockWithSeconds(call.time)}</td>
                  <td>
                    <Shown text={call.client ?? "Unknown client"} />
                  </td>
                  <td class="mono">
                    <Shown text={call.tool} />
                  </td>
                  <td class="mono is-long">
                    <Shown text={call.paths.slice(0, 3).join(", ")} />
                  </td>
                  <td>
                    <span class={`outcome is-${call.outcome}`}>
                      {call.outcome}
                      {call.code !== null && (
                        <>
                          {" "}
                          · <Shown text={call.code} />
                        </>
                      )}
                    </span>
                  </td>
                  <td class="is-number">
                    {call.duration_ms < 10
                      ? call.duration_ms.toFixed(1)
                      : count(Math.round(call.duration_ms))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
