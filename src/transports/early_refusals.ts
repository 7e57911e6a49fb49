/**
 * The answers of a server that has to stop before it has loaded what answers requests: that it is stopping.
 * This needs nothing that would have to be loaded first.
 */
import type { Stats } from "../base/stats.ts";
import { NOT_TAKEN, STOPPING_CODE } from "../server/calls_in_flight.ts";
import type { Id } from "./batches.ts";
import type { InputLine, LineReader } from "./line_reader.ts";
import type { LineWriter } from "./line_writer.ts";
import type { Opening } from "./stdio.ts";

export interface EarlyConnection {
  reader: LineReader;
  writer: LineWriter;
  opening: Opening;
}

/** Refuses all requests sent so far, except a first one that is already answered. */
export async function refuseAll(connection: EarlyConnection, stats: Stats): Promise<void> {
  const { reader, writer, opening: { lines, first, greeting } } = connection;
  const refuse = async () => {
    for (let next = first;; next = lines.next()) {
      const { done, value } = await next;
      if (done) return;
      const isGreeted = next === first && greeting !== undefined;
      const refusals = isGreeted ? [] : refusalsOf(value);
      for (let i = isGreeted ? 1 : refusals.length; i > 0; i--) stats.request();
      for (const refusal of refusals) {
        stats.error();
        writer.write(refusal);
      }
    }
  };
  await Promise.race([refuse().catch(() => {}), reader.emptied()]); // or the input fails
  reader.stop();
  await writer.flushed();
}

/** One refusal for each request in a line. */
function refusalsOf(line: InputLine) {
  if (line.kind !== "line") return [refusal(line.kind === "long" ? line.id : null, line.code, line.message)];
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return [refusal(null, -32700, "Parse error: the line is not valid JSON")];
  }
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  return messages.flatMap((message) => {
    const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
    const isRequest = typeof method === "string" && (typeof id === "string" || typeof id === "number");
    return isRequest ? [refusal(id, STOPPING_CODE, NOT_TAKEN)] : [];
  });
}

function refusal(id: Id | null, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
