import { assert } from "@std/assert";
import { saveMeanwhile, SAVES_SURFACES } from "./saves.ts";
import { has } from "../support/needs.ts";
import { STYLES } from "../support/person.ts";

for (const surface of SAVES_SURFACES) {
  for (const style of STYLES) {
    Deno.test(`an edit on the ${surface.name} surface loses no save (${style}) that a person makes meanwhile`, async () => {
      const { lost, made } = await saveMeanwhile(surface, { style, saves: 20 });
      assert(made > 0);
      // Without the kernel's fence there is an instant between the last look and the rename. In any case a program
      // may write to the file that it has opened before, when the call has ended.
      const most = style !== "rename" ? 1 : has("Landlock") ? 0 : 3;
      assert(lost <= most, `${lost} of 20 saves are lost`);
    });
  }
}
