// What a scenario is. To add one: write a file in scenarios/ that exports a Scenario, and name it in
// scenarios/mod.ts.

import type { Session } from "./session.ts";

/** One line of the table. */
export interface Row {
  /** The key of the figure in what `round` gives. */
  readonly key: string;
  readonly label: string;
  readonly unit: Unit;
  /** The ratio paddock ÷ peer is to be at most this. */
  readonly target?: number;
  /** paddock's own figure is to be at most this, whatever the peer's. */
  readonly limit?: number;
}

/** More of it is always worse. "×" is a figure in proportion to another of the same server. */
export type Unit = "ms" | "µs" | "MiB" | "×";

/** Figures by row key; a figure that the system cannot give is left out. */
export type Figures = Readonly<Record<string, number>>;

export interface Scenario {
  /** As typed on the command line. */
  readonly name: string;
  readonly rows: readonly Row[];
  readonly rounds: number;
  /** What a reader of the figures must know to read them fairly. */
  readonly note?: string;
  /** What the peer's figures are of, where that is not the official server. */
  readonly peer?: string;
  /** Whether any other file server can do it as well: rust-mcp-filesystem, where there is one. */
  readonly forAnyServer?: true;
  /** Whether it runs only when it is named: it takes long. */
  readonly onlyByName?: true;
  /** Makes the files that the servers work on, in an empty folder. */
  prepare?(dir: string, signal: AbortSignal): void | Promise<void>;
  /** Throws unless the server does the work right. Called before anything is timed. */
  verify?(session: Session): Promise<void>;
  /** Measures one round with one server. */
  round(session: Session): Promise<Figures>;
}
