// From the start of the process to its first answers. A client starts its servers each time it is opened, so
// this is what a user waits for.

import type { Scenario } from "../scenario.ts";

const MIB = 1024 * 1024;

export const startup: Scenario = {
  name: "startup",
  rounds: 15,
  rows: [
    { key: "initialize", label: "first answer (initialize)", unit: "ms", target: 0.5 },
    { key: "tools", label: "first tools/list", unit: "ms" },
    { key: "rss", label: "memory after it", unit: "MiB" },
    { key: "peak", label: "memory, peak", unit: "MiB" },
  ],
  async round(session) {
    await using client = session.spawn();
    await client.initialize();
    const initialize = performance.now() - client.startedAt;
    await client.request("tools/list", {});
    const tools = performance.now() - client.startedAt;
    const memory = client.memory();
    return { initialize, tools, ...(memory && { rss: memory.rss / MIB, peak: memory.peak / MIB }) };
  },
};
