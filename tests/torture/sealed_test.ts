import { assert, assertEquals } from "@std/assert";
import { seeded } from "../support/random.ts";
import { isSealed, randomBody, sealed } from "./sealed.ts";

Deno.test("isSealed accepts a whole text and no part, mix or extension of one", () => {
  const random = seeded(1);
  for (let i = 0; i < 20; i++) {
    const [one, two] = [sealed(randomBody(random)), sealed(randomBody(random) + "x")];
    assert(isSealed(one) && isSealed(two));
    const torn = [two.slice(0, -1), `${one}x`, two.slice(0, 20) + one.slice(20), "", two.replace("x", "y")];
    for (const text of torn.filter((text) => text !== one && text !== two)) {
      assert(!isSealed(text), text.slice(0, 80));
    }
  }
});

Deno.test("seeded returns the same numbers for the same seed, and different ones for another", () => {
  const numbers = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 5 }, () => random.below(1_000));
  };
  assertEquals(numbers(7), numbers(7));
  assert(numbers(7).join() !== numbers(8).join());
});
