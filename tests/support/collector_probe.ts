/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** A Worker that produces garbage, has it collected, and reports the result and the state of its permission. */
import { mayInspect, takeCollector } from "../../src/sandbox/collector.ts";

const used = () => Deno.memoryUsage().heapUsed;

self.onmessage = async () => {
  const could = mayInspect();
  const collect = await takeCollector();
  let garbage: unknown[] = [];
  for (let i = 0; i < 200_000; i++) garbage.push({ text: `${i}`, list: [i] });
  const before = used();
  garbage = [];
  collect?.();
  await new Promise((resolve) => setTimeout(resolve, 500));
  self.postMessage({
    could,
    can: mayInspect(),
    collects: collect !== undefined,
    share: used() / before,
    left: garbage.length,
  });
};
