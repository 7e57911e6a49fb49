import { seeded } from "../../support/random.ts";
import { trials } from "../../support/trials.ts";
import { exactSequence, sharedSequence } from "./sequences.ts";

const SEQUENCES = trials(60);
const CALLS = 25;

Deno.test("any sequence of calls is undone one by one, exactly, and redone", async () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    try {
      await exactSequence(seeded(seed), CALLS);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
});

Deno.test("undos undone all at once give each folder its own mode, even if several were at one path", async () => {
  for (const seed of [160119563, 48942092]) await exactSequence(seeded(seed), 40);
});

Deno.test("what a person does in between is never lost, whatever is undone", async () => {
  for (let seed = 1; seed <= SEQUENCES / 2; seed++) {
    try {
      await sharedSequence(seeded(seed), CALLS);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
});
