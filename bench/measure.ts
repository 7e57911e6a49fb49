// Runs one scenario with all servers, in turns (A, B, A, B, …), so that whatever the machine does meanwhile affects
// both equally. One untimed round of each comes first: page cache, compiled-code caches and JIT are then warm for
// both.

import { join } from "@std/path/join";
import type { Server, Side } from "./peers.ts";
import type { Row, Scenario } from "./scenario.ts";
import { Session } from "./session.ts";

/** The samples of one row, by side, in order. */
export interface Measured {
  readonly scenario: string;
  readonly row: Row;
  readonly samples: Readonly<Record<Side, readonly number[]>>;
}

export interface MeasureOptions {
  readonly servers: readonly Server[];
  /** A folder for this run alone; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export async function measure(scenario: Scenario, options: MeasureOptions): Promise<Measured[]> {
  const { servers, folder, signal } = options;
  const dir = join(folder, scenario.name, "field"); // a plain base name: it is the root's name in paddock
  Deno.mkdirSync(dir, { recursive: true });
  await scenario.prepare?.(dir, signal);
  await using stack = new AsyncDisposableStack();
  const able = servers.filter(({ side }) => side !== "rust" || scenario.forAnyServer);
  const sessions = able.map((server) => stack.use(new Session(server, { dir, signal })));
  for (const session of sessions) await scenario.verify?.(session);
  for (const session of sessions) await scenario.round(session);
  const measured = scenario.rows.map((row) => ({
    scenario: scenario.name,
    row,
    samples: { paddock: [] as number[], peer: [] as number[], rust: [] as number[] },
  }));
  for (let round = 0; round < scenario.rounds; round++) {
    for (const session of sessions) {
      signal.throwIfAborted();
      const figures = await scenario.round(session);
      for (const { row, samples } of measured) {
        const figure = figures[row.key];
        if (figure !== undefined) samples[session.server.side].push(figure);
      }
    }
  }
  return measured;
}
