/** Who made how many changes, and by which tools, over all sources. */
import { PaddockError } from "../../base/errors.ts";
import type { Facets, Overview } from "../api_types.ts";
import type { ChangeSource } from "./source.ts";

const MOST = 200;

interface ClientTally {
  changes: number;
  newest: number;
  readonly sources: string[];
}

export interface Tallied {
  readonly clients: ReadonlyMap<string | null, ClientTally>;
  readonly tools: ReadonlyMap<string, number>;
}

/** A source that cannot be queried is left out; `sources` says what is wrong with it. */
export async function tallied(sources: readonly ChangeSource[], since: number): Promise<Tallied> {
  const clients = new Map<string | null, ClientTally>();
  const tools = new Map<string, number>();
  for (const source of sources) {
    const found = await source.tallies(since).catch((error) => {
      if (error instanceof PaddockError) return undefined;
      throw error;
    });
    for (const { name, changes, newest } of found?.clients ?? []) {
      const known = clients.get(name) ?? { changes: 0, newest: 0, sources: [] };
      known.changes += changes;
      known.newest = Math.max(known.newest, newest);
      known.sources.push(source.id);
      clients.set(name, known);
    }
    for (const { name, changes } of found?.tools ?? []) tools.set(name, (tools.get(name) ?? 0) + changes);
  }
  return { clients, tools };
}

/** The highest count first. */
export function facetsOf({ clients, tools }: Tallied): Facets {
  const named = [...clients].flatMap(([name, { changes, newest }]) =>
    name === null ? [] : [{ name, changes, newest: new Date(newest).toISOString() }]
  );
  const used = [...tools].map(([name, changes]) => ({ name, changes }));
  const most = (a: { changes: number }, b: { changes: number }) => b.changes - a.changes;
  return { clients: named.sort(most).slice(0, MOST), tools: used.sort(most).slice(0, MOST) };
}

/** The latest first. */
export function recentOf({ clients }: Tallied): Overview["recent"] {
  return [...clients].sort(([, a], [, b]) => b.newest - a.newest).slice(0, MOST)
    .map(([client, { newest, ...rest }]) => ({ client, newest: new Date(newest).toISOString(), ...rest }));
}
