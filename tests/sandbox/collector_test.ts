import { assert, assertEquals } from "@std/assert";

async function probe(sys: string[] | false) {
  const worker = new Worker(new URL("../support/collector_probe.ts", import.meta.url), {
    type: "module",
    deno: { permissions: { read: false, write: false, net: false, env: false, sys } },
  });
  const told = Promise.withResolvers<Record<string, unknown>>();
  worker.onmessage = ({ data }) => told.resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    told.reject(new Error(event.message));
  };
  worker.postMessage({});
  try {
    return await told.promise;
  } finally {
    worker.terminate();
  }
}

Deno.test("takeCollector gives up the permission after using it, and the collector it returns collects garbage", async () => {
  const { could, can, collects, share } = await probe(["inspector"]);
  assertEquals({ could, can, collects }, { could: true, can: false, collects: true });
  assert(Number(share) < 0.5, `${share} of the memory is in use still`);
});

Deno.test("takeCollector returns nothing, and does not prompt, without the permission", async () => {
  const { could, can, collects } = await probe(false);
  assertEquals({ could, can, collects }, { could: false, can: false, collects: false });
});
