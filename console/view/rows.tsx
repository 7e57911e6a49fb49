/** The rows of the timeline. */
import type { Change } from "../../src/console/api_types.ts";
import { hueOf, type TimelineRow } from "../model/rows.ts";
import { clockOf, clockWithSeconds, counted, fullTime } from "../text/times.ts";
import { visibleText } from "../text/visible.ts";
import { Icon } from "./icons.tsx";
import { PathText, Shown } from "./text.tsx";

interface Placed {
  readonly style: { readonly top: string; readonly height: string };
}

export function DayRow({ name, style }: { name: string } & Placed) {
  return (
    <li class="day-row" style={style}>
      <h2>{name}</h2>
    </li>
  );
}

export function ClientRow({ row, style }: { row: Extract<TimelineRow, { kind: "client" }> } & Placed) {
  const from = clockOf(row.first);
  const to = clockOf(row.last);
  return (
    <li class="client-row" style={style}>
      <h3>
        <Mark name={row.who} /> <Shown text={row.who} />
      </h3>
      <span class="muted">{counted(row.count, "change")}</span>
      <span class="muted">{from === to ? from : `${from}–${to}`}</span>
    </li>
  );
}

/** A coloured mark for a client, the same everywhere. */
export function Mark({ name }: { name: string }) {
  const [letter = "?"] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return <span class={`mark hue-${hueOf(name)}`} aria-hidden="true">{letter.toUpperCase()}</span>;
}

interface ChangeRowProps extends Placed {
  readonly change: Change;
  readonly href: string;
  readonly state: { readonly open: boolean; readonly cursor: boolean; readonly fresh: boolean };
  /** Null if it is not shown, because there is only one. */
  readonly sourceName: string | null;
  /** If a change is open beside the list, that has the button. */
  readonly undo: "offered" | "not possible" | "no room";
  onOpen(event: MouseEvent): void;
  onUndo(): void;
}

export function ChangeRow(
  { change, href, state, sourceName, undo, onOpen, onUndo, style }: ChangeRowProps,
) {
  const classes = [
    "change-row",
    state.open && "is-open",
    state.fresh && "is-fresh",
    change.undone_by && "is-undone",
  ];
  return (
    <li class={classes.filter(Boolean).join(" ")} style={style} data-change-id={change.id}>
      <time class="row-time" dateTime={change.time} title={fullTime(change.time)}>
        {clockWithSeconds(change.time)}
      </time>
      <a
        class="row-link"
        href={href}
        tabIndex={state.cursor ? 0 : -1}
        aria-current={state.open ? "true" : undefined}
        onClick={onOpen}
      >
        <Summary change={change} />
      </a>
      <span class="row-facts">
        <Badges change={change} />
        {sourceName !== null && (
          <span class="chip">
            <Shown text={sourceName} />
          </span>
        )}
      </span>
      {undo !== "no room" && (
        <span class="row-act">
          {undo === "offered" && (
            <button type="button" class="button small quiet" onClick={onUndo}>Undo</button>
          )}
        </span>
      )}
    </li>
  );
}

/** The tool, and what it was applied to. */
export function Summary({ change }: { change: Change }) {
  const { tool, summary, paths, path_count } = change;
  const [path] = paths;
  const rest = summary.startsWith(`${tool} `) ? summary.slice(tool.length + 1) : summary;
  const plain = path !== undefined && rest === path;
  return (
    <span class="summary" title={visibleText(summary)}>
      <span class="tool">
        <Shown text={tool} />
      </span>{" "}
      {plain ? <PathText path={path} /> : (
        <span class="summary-text">
          <Shown text={rest} />
        </span>
      )}
      {plain && path_count > 1 && <span class="muted">and {path_count - 1} more</span>}
    </span>
  );
}

export function Badges({ change }: { change: Change }) {
  return (
    <>
      {change.undone_by !== null && (
        <span class="badge undone">
          <Icon name="undo" />Undone
        </span>
      )}
      {!change.undoable && change.undone_by === null && (
        <span class="badge" title={change.why_not === null ? "" : visibleText(change.why_not)}>
          Can’t be undone
        </span>
      )}
    </>
  );
}
