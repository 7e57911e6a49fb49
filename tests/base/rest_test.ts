import { assertEquals } from "@std/assert";
import { Rest } from "../../src/base/rest.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("Rest reports once after each period of work, and never without work", async () => {
  let told = 0;
  const rest = new Rest(() => told++, 20);
  await pause(60);
  assertEquals(told, 0);
  for (let spell = 1; spell <= 2; spell++) {
    for (let i = 0; i < 5; i++) rest.work();
    while (told < spell) await pause(10);
    await pause(60);
    assertEquals(told, spell);
  }
});

Deno.test("Rest starts waiting again while there is work", async () => {
  let workedAt = 0;
  const rested = Promise.withResolvers<number>();
  const rest = new Rest(() => rested.resolve(performance.now() - workedAt), 50);
  for (let i = 0; i < 10; i++) {
    workedAt = performance.now();
    rest.work();
    await pause(10);
  }
  assertEquals(await rested.promise >= 49, true);
});

Deno.test("Rest reports nothing after it is closed", async () => {
  let told = 0;
  const rest = new Rest(() => told++, 10);
  rest.work();
  rest.close();
  await pause(40);
  assertEquals(told, 0);
});
