/** What is shown, as in the address bar: everything is in the query, so the page needs only one path. */

export interface Filters {
  /** `root:NAME` or `workspace:ID`; none means all. */
  readonly sources: readonly string[];
  readonly client: string;
  readonly tool: string;
  readonly path: string;
  /** A span such as `24h`, a day, or a time; empty for all. */
  readonly since: string;
}

export interface ChangeKey {
  readonly source: string;
  readonly id: string;
}

export type Route =
  | { readonly view: "timeline"; readonly filters: Filters; readonly open: ChangeKey | null }
  | { readonly view: "file"; readonly source: string; readonly path: string; readonly version: string | null }
  | { readonly view: "overview" }
  | { readonly view: "sources" };

export const NO_FILTERS: Filters = { sources: [], client: "", tool: "", path: "", since: "" };

const FILTERS = ["client", "tool", "path", "since"] as const;

export function parseRoute(search: string): Route {
  const query = new URLSearchParams(search);
  const view = query.get("view");
  if (view === "overview" || view === "sources") return { view };
  const source = query.get("source");
  const path = query.get("path");
  if (view === "file" && source !== null && path !== null) {
    return { view, source, path, version: query.get("version") };
  }
  const id = query.get("change");
  const from = query.get("in");
  return {
    view: "timeline",
    filters: {
      sources: query.getAll("source"),
      client: query.get("client") ?? "",
      tool: query.get("tool") ?? "",
      path: path ?? "",
      since: query.get("since") ?? "",
    },
    open: id === null || from === null ? null : { source: from, id },
  };
}

/** The address of the route, relative to the path of the page. */
export function hrefOf(route: Route): string {
  const query = new URLSearchParams();
  if (route.view === "timeline") {
    for (const source of route.filters.sources) query.append("source", source);
    for (const name of FILTERS) if (route.filters[name] !== "") query.set(name, route.filters[name]);
    if (route.open !== null) {
      query.set("change", route.open.id);
      query.set("in", route.open.source);
    }
  } else {
    query.set("view", route.view);
    if (route.view === "file") {
      query.set("source", route.source);
      query.set("path", route.path);
      if (route.version !== null) query.set("version", route.version);
    }
  }
  const text = query.toString();
  return text === "" ? "/console" : `/console?${text}`;
}

export function timeline(filters: Filters = NO_FILTERS, open: ChangeKey | null = null): Route {
  return { view: "timeline", filters, open };
}

export function isFiltered({ sources, ...rest }: Filters): boolean {
  return sources.length > 0 || Object.values(rest).some((value) => value !== "");
}

/** Equal for the same change, different for any other. */
export function keyOf({ source, id }: ChangeKey): string {
  return `${source}/${id}`;
}

export function sameKey(a: ChangeKey | null, b: ChangeKey | null): boolean {
  return a === b || (a !== null && b !== null && a.id === b.id && a.source === b.source);
}
