/** The server's calls, as they arrive. */
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { clockWithSeconds, count } from "../text/times.ts";
import { useAsked } from "./hooks.ts";
import { Empty, Failed } from "./states.tsx";
import { Card, type Column, Table } from "./table.tsx";
import { Shown } from "./text.tsx";

const MOST = 100;

const OUTCOMES = { success: "ok", error: "error", refused: "refused", cancelled: "cancelled" } as const;

const COLUMNS: readonly Column<Call>[] = [
  { name: "Time", cell: ({ time }) => <span class="mono muted">{clockWithSeconds(time)}</span> },
  { name: "Client", cell: ({ client }) => <Shown text={client ?? "Unknown client"} /> },
  {
    name: "Tool",
    cell: ({ tool }) => (
      <span class="mono">
        <Shown text={tool} />
      </span>
    ),
  },
  {
    name: "Path",
    kind: "long",
    cell: ({ paths }) => (
      <span class="mono">
        <Shown text={paths.slice(0, 3).join(", ")} />
      </span>
    ),
  },
  {
    name: "Outcome",
    cell: ({ outcome, code }) => (
      <span class={`outcome is-${outcome}`}>
        {OUTCOMES[outcome]}
        {code !== null && (
          <>
            {" "}
            · <Shown text={code} />
          </>
        )}
      </span>
    ),
  },
  {
    name: "ms",
    kind: "number",
    cell: ({ duration_ms: ms }) => ms < 10 ? ms.toFixed(1) : count(Math.round(ms)),
  },
];

export function Calls({ app }: { app: Console }) {
  const asked = useAsked(app, {
    key: "",
    ask: (signal) => get("calls", { query: { limit: MOST }, signal }),
  });
  const [added, setAdded] = useState<readonly Call[]>([]);
  const [only, setOnly] = useState<"all" | "bad">("all");
  useEffect(() => app.live.on("call", (call) => setAdded((calls) => [call, ...calls].slice(0, MOST))), []);
  const known = new Set(added.map(({ id }) => id));
  const all = [...added, ...(asked.value?.calls ?? []).filter(({ id }) => !known.has(id))].slice(0, MOST);
  const calls = only === "all" ? all : all.filter(({ outcome }) => outcome !== "success");
  return (
    <Card
      id="calls"
      title="Latest calls"
      aside={
        <div class="switch" role="group" aria-label="Which calls">
          <button type="button" aria-pressed={only === "all"} onClick={() => setOnly("all")}>All</button>
          <button type="button" aria-pressed={only === "bad"} onClick={() => setOnly("bad")}>
            Errors and refusals
          </button>
        </div>
      }
    >
      {asked.error !== null && <Failed error={asked.error} again={asked.again} />}
      {calls.length === 0 && asked.value !== null && (
        <Empty title={only === "all" ? "No calls yet" : "No errors or refusals"} />
      )}
      {calls.length > 0 && <Table heading="calls" columns={COLUMNS} rows={calls} keyOf={({ id }) => id} />}
    </Card>
  );
}
