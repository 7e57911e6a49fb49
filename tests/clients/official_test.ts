/** The light part of `deno task clients`: the official clients on every surface, over both transports. */
import { TRANSPORTS, tryClient } from "./matrix.ts";
import { OFFICIAL } from "./official.ts";
import { TRIALS } from "./trials.ts";

for (const library of OFFICIAL) {
  for (const trial of TRIALS) {
    for (const transport of TRANSPORTS) {
      Deno.test(`${library.name} works on the ${trial.surface} surface over ${transport}`, () =>
        tryClient(library, trial, transport));
    }
  }
}
