/** The filters above the timeline; the address bar holds them too. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Source } from "../../src/console/api_types.ts";
import type { Console } from "../model/console.ts";
import { type Filters, isFiltered, NO_FILTERS, timeline } from "../model/route.ts";
import { visibleText } from "../text/visible.ts";
import { Icon } from "./icons.tsx";
import { useStore } from "./hooks.ts";

const SPANS: readonly (readonly [string, string])[] = [
  ["1h", "Last hour"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
];
const TYPING_MS = 250;

export function FilterBar({ app, filters }: { app: Console; filters: Filters }) {
  const { sources } = useStore(app.sources);
  const { clients, tools } = useStore(app.facets);
  const change = (part: Partial<Filters>, replace = false) => {
    const route = app.route.value;
    const open = route.view === "timeline" ? route.open : null;
    app.go(timeline({ ...filters, ...part }, open), { replace });
  };
  const several = filters.sources.length > 1 ? [filters.sources.join(" ")] : [];
  return (
    <search class="filters" aria-label="Filters">
      <PathFilter value={filters.path} onChange={(path) => change({ path }, true)} />
      <Choice
        label="Root or workspace"
        all={allSources(sources)}
        value={several[0] ?? filters.sources[0] ?? ""}
        options={[
          ...several.map((all): [string, string] => [all, `${filters.sources.length} chosen`]),
          ...sources.map(({ id, name }): [string, string] => [id, name]),
        ]}
        onChange={(source) =>
          change({ sources: source === "" ? [] : source === several[0] ? filters.sources : [source] })}
      />
      <Choice
        label="Client"
        all="All clients"
        value={filters.client}
        options={clients.map(({ name }) => [name, name])}
        onChange={(client) => change({ client })}
      />
      <Choice
        label="Tool"
        all="All tools"
        value={filters.tool}
        options={tools.map(({ name }) => [name, name])}
        onChange={(tool) => change({ tool })}
      />
      <Choice
        label="Since"
        all="Any time"
        value={filters.since}
        options={SPANS}
        onChange={(since) => change({ since })}
      />
      {isFiltered(filters) && (
        <button
          type="button"
          class="button small quiet"
          onClick={() => change(NO_FILTERS)}
        >
          Clear filters
        </button>
      )}
    </search>
  );
}

function allSources(sources: readonly Source[]): string {
  const [some, others] = ["root", "workspace"].map((kind) => sources.some((source) => source.kind === kind));
  return some && others ? "Everywhere" : others ? "All workspaces" : "All roots";
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  onChange(value: string): void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  const known = value === "" || options.some(([option]) => option === value);
  return (
    <label class={value === "" ? "choice" : "choice is-set"}>
      <span class="sr-only">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{all}</option>
        {!known && <option value={value}>{visibleText(value)}</option>}
        {options.map(([option, name]) => <option key={option} value={option}>{visibleText(name)}</option>)}
      </select>
      <Icon name="down" />
    </label>
  );
}

/** Reacts after a short pause in typing. */
function PathFilter({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<number | undefined>(undefined);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  const send = (text: string) => {
    clearTimeout(timer.current);
    sent.current = text;
    onChange(text);
  };
  return (
    <label class="path-filter">
      <span class="sr-only">Path</span>
      <Icon name="search" />
      <input
        id="path-filter"
        type="search"
        placeholder="Filter by path"
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        value={typed}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(text), TYPING_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") send(event.currentTarget.value);
          if (event.key === "Escape") {
            event.stopPropagation();
            event.currentTarget.blur();
          }
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
