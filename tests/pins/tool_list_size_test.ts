/** Every request pays for the list of tools, so it stays short. */
import { assert } from "@std/assert";
import { listSizes } from "../../bench/jobs/list_sizes.ts";
import type { SurfaceName } from "../support/surfaces.ts";

const BYTES_A_TOOL = 590;
/** Relative to what the same tools took before. */
const PART = 0.6;

/** What all tools of a surface may take; raise it only for a tool that is worth it. */
const MOST: Record<SurfaceName, number> = { flat: 1_400, roots: 13_600, workspaces: 15_000 };

for (const { surface, tools, bytes, before } of listSizes()) {
  Deno.test(`the list of the ${surface} surface stays short`, () => {
    const most = MOST[surface];
    assert(bytes <= most, `${bytes} bytes, where ${most} are allowed`);
    assert(bytes / tools <= BYTES_A_TOOL, `${bytes / tools} bytes a tool`);
    if (before === undefined) return;
    const { bytes: then, now } = before;
    assert(now <= PART * then, `${now} bytes for tools that took ${then} before`);
  });
}
