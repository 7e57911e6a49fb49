import { assert } from "@std/assert";
import { saveMeanwhile, SAVES_SURFACES } from "./saves.ts";
import { has } from "../support/needs.ts";
import { STYLES } from "../support/person.ts";

for (const surface of SAVES_SURFACES) {
  for (const style of STYLES) {
    Deno.test(`an edit on the ${surface.name} surface loses no save (${style}) that a person makes at the same time`, async () => {
      const { lost, made } = await saveMeanwhile(surface, { style, saves: 20 });
      assert(made > 0);
      // Without the kernel fence there is an instant between the last check and the rename. In any case a program may
      // write to a file that it opened earlier, after the call has ended.
      const most = style !== "rename" ? 1 : has("Landlock") ? 0 : 3;
      assert(lost <= most, `${lost} of 20 saves are lost`);
    });
  }
}
