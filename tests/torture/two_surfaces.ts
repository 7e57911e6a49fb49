/**
 * The test of two_surfaces_test.ts at full length. `deno run -A tests/torture/two_surfaces.ts [EDITS]`
 */
import { shareFile } from "../e2e/two_surfaces.ts";

const { acknowledged, refused, lost } = await shareFile({ edits: Number(Deno.args[0] ?? 500) });
console.log(`acknowledged: ${JSON.stringify(acknowledged)}; ${refused.length} refused; ${lost.length} lost`);
for (const text of new Set(refused.map((text) => text.slice(0, 100)))) console.log(`  refused: ${text}`);
for (const text of lost.slice(0, 5)) console.log(`  LOST ${text}`);
Deno.exit(lost.length === 0 ? 0 : 1);
