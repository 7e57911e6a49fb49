import { assertEquals } from "@std/assert";
import { later } from "../../src/base/later.ts";

Deno.test("later runs the work", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  later(() => resolve("done"), 1);
  const waiting = setTimeout(() => resolve("not done"), 10_000);
  assertEquals(await promise, "done");
  clearTimeout(waiting);
});

Deno.test("later does not keep a process alive", async () => {
  const module = new URL("../../src/base/later.ts", import.meta.url).href;
  const source = `import { later } from ${JSON.stringify(module)}; later(() => console.log("ran"), 60_000);`;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", source],
    signal: AbortSignal.timeout(30_000),
  }).output();
  assertEquals({ code, printed: new TextDecoder().decode(stdout) }, { code: 0, printed: "" });
});
