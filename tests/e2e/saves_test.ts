import { assert } from "@std/assert";
import { saveMeanwhile, SAVES_SURFACES } from "./saves.ts";
import { STYLES } from "../support/person.ts";

for (const surface of SAVES_SURFACES) {
  for (const style of STYLES) {
    Deno.test(`an edit on the ${surface.name} surface loses no save (${style}) that a person makes meanwhile`, async () => {
      const { lost, made } = await saveMeanwhile(surface, { style, saves: 20 });
      assert(made > 0);
      // What is left is the instant between the last look and the rename, which only a rename can fall into.
      const most = style === "rename" ? 3 : 1;
      assert(lost <= most, `${lost} of 20 saves are lost`);
    });
  }
}
