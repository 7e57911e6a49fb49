import { assertEquals, assertStringIncludes } from "@std/assert";
import { Stats } from "../../src/base/stats.ts";
import { refuseAll } from "../../src/transports/early_refusals.ts";
import { LineReader } from "../../src/transports/line_reader.ts";
import { LineWriter } from "../../src/transports/line_writer.ts";
import { MemoryInput, MemoryOutput } from "../support/streams.ts";

/** A connection that nobody serves yet, and what a client has sent on it. */
function connection(...lines: unknown[]) {
  const [input, output, stats] = [new MemoryInput(), new MemoryOutput(), new Stats()];
  for (const line of lines) input.put(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  const reader = new LineReader(input, 1_000);
  const given = reader[Symbol.asyncIterator]();
  const early = (id?: number) => ({
    reader,
    writer: new LineWriter(output),
    opening: {
      lines: given,
      first: given.next(),
      greeting: id === undefined ? undefined : { id, jsonrpc: "2.0" as const, result: {} },
    },
  });
  return { input, output, stats, early };
}

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/call" });

Deno.test("refuseAll answers every request that was sent, including batches and invalid messages, and no notification", async () => {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const sent = [
    request(1),
    notification,
    [request("a"), notification, request(2)],
    "{not JSON",
    "x".repeat(2_000),
  ];
  const { output, stats, early } = connection(...sent);
  await refuseAll(early(), stats);
  assertEquals(output.messages.map(({ id, error }) => [id, error?.code]), [
    [1, -32000],
    ["a", -32000],
    [2, -32000],
    [null, -32700],
    [null, -32600],
  ]);
  assertStringIncludes(output.lines[0] ?? "", "the server is stopping: the request was not accepted");
  const { requests, errors } = stats.snapshot();
  assertEquals([requests, errors], [5, 5]);
});

Deno.test("refuseAll leaves the first request alone if it is answered, and ends even if the input stays open or fails", async () => {
  const { output, stats, early } = connection(request(0), request(1));
  await refuseAll(early(0), stats);
  assertEquals(output.messages.map(({ id }) => id), [1]);
  const { requests, errors } = stats.snapshot();
  assertEquals([requests, errors], [2, 1]);

  const silent = connection();
  await refuseAll(silent.early(), silent.stats);
  const reader = new LineReader({ read: () => Promise.reject(new Error("EIO")) }, 1_000);
  const lines = reader[Symbol.asyncIterator]();
  const opening = { lines, first: lines.next(), greeting: undefined };
  await refuseAll({ reader, writer: new LineWriter(silent.output), opening }, silent.stats);
  assertEquals(silent.output.lines, []);
});
