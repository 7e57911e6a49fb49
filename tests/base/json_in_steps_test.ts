import { assert, assertEquals } from "@std/assert";
import { jsonInSteps } from "../../src/base/json_in_steps.ts";

const LIST = Array.from({ length: 2_500 }, (_, i) => ({ name: `n${i}\u2028"`, size: i, gone: undefined }));

for (
  const value of [
    {},
    { a: 1, b: undefined, c: null, d: [1, undefined], e: "x" },
    { entries: LIST, count: LIST.length },
    { gone: undefined, entries: LIST, more: { entries: LIST }, 'odd "name"': [] },
    { entries: Array.from({ length: 2_001 }, () => undefined) },
  ]
) {
  Deno.test(`jsonInSteps returns the same as JSON.stringify: ${JSON.stringify(value).slice(0, 40)}`, () => {
    const steps = jsonInSteps(value);
    let pauses = 0;
    for (;;) {
      const { done, value: text } = steps.next();
      if (done) {
        assertEquals(text, JSON.stringify(value));
        break;
      }
      pauses++;
    }
    assert(!("entries" in value) || pauses >= 3);
  });
}
