/**
 * The test of saves_test.ts at full length: 120 saves in each style on each surface, each at a different moment of an
 * agent's edit. `deno run -A tests/torture/saves.ts [SAVES] [SURFACE]`
 */
import { saveMeanwhile, SAVES_SURFACES } from "../e2e/saves.ts";
import { STYLES } from "../support/person.ts";

const [saves = "120", only] = Deno.args;

for (const surface of SAVES_SURFACES.filter(({ name }) => only === undefined || name === only)) {
  let [all, lost] = [0, 0];
  for (const style of STYLES) {
    const sum = await saveMeanwhile(surface, { style, saves: Number(saves) });
    const refused = new Set(sum.refused.map((text) => text.slice(0, 60)));
    console.log(
      `${surface.name}, ${style}: ${sum.saves} saves, ${sum.lost} lost; ${sum.made} edits made, ` +
        `${sum.inFile} in the file, ${sum.refused.length} refused ${[...refused].join(" | ")}`,
    );
    [all, lost] = [all + sum.saves, lost + sum.lost];
  }
  console.log(`${surface.name}: ${lost} of ${all} saves lost`);
}
