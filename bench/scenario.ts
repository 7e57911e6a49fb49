// What a scenario is. To add one: write a file in scenarios/ that exports a Scenario, and name it in
// scenarios/mod.ts.

import type { Session } from "./session.ts";

/** One line of the table. */
export interface Row {
  /** The key of the figure in the result of `round`. */
  readonly key: string;
  readonly label: string;
  readonly unit: Unit;
  /** The goal: the ratio paddock ÷ peer is at most this. */
  readonly target?: number;
  /** The goal: paddock's own figure is at most this, whatever the peer's. */
  readonly limit?: number;
}

/** More is always worse. "×" is a figure relative to another one of the same server. */
export type Unit = "ms" | "µs" | "MiB" | "×";

/** Figures by row key; a figure that the system does not provide is left out. */
export type Figures = Readonly<Record<string, number>>;

export interface Scenario {
  /** As typed on the command line. */
  readonly name: string;
  readonly rows: readonly Row[];
  readonly rounds: number;
  /** What a reader must know to interpret the figures fairly. */
  readonly note?: string;
  /** What the peer's figures are about, if not the official server. */
  readonly peer?: string;
  /** Whether any other file server can do it too: rust-mcp-filesystem, if there is one. */
  readonly forAnyServer?: true;
  /** Whether it runs only when named, because it takes long. */
  readonly onlyByName?: true;
  /** Creates the files that the servers work on, in an empty folder. */
  prepare?(dir: string, signal: AbortSignal): void | Promise<void>;
  /** Throws unless the server does the work correctly. Called before anything is timed. */
  verify?(session: Session): Promise<void>;
  /** Measures one round with one server. */
  round(session: Session): Promise<Figures>;
}
