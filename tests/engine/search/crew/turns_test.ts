import { assertEquals } from "@std/assert";
import { Turns } from "../../../../src/engine/search/crew/turns.ts";

Deno.test("Turns lets messages and timers that are due have their turn, however often it is asked", async () => {
  const turns = new Turns();
  const { port1, port2 } = new MessageChannel();
  const happened: string[] = [];
  try {
    port2.onmessage = ({ data }) => happened.push(data);
    setTimeout(() => happened.push("timer"), 0);
    port1.postMessage("message");
    let asked = 0;
    while (happened.length < 2 && asked < 1_000_000) {
      await turns.next();
      asked++;
    }
    assertEquals(happened.toSorted(), ["message", "timer"]);
    const two = ["first", "second"].map((name) => turns.next().then(() => happened.push(name)));
    await Promise.all(two);
    assertEquals(happened.slice(2), ["first", "second"]);
  } finally {
    turns.close();
    port1.close();
    port2.close();
  }
});
