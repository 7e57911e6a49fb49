import { assertEquals } from "@std/assert";
import { shareFile } from "./two_surfaces.ts";

Deno.test("a workspaces, a roots and a flat server on one folder lose no acknowledged edit", async () => {
  const { acknowledged, lost, refused } = await shareFile({ edits: 60 });
  assertEquals([lost, refused], [[], []]);
  assertEquals(acknowledged, { workspaces: 60, roots: 60, flat: 60 });
});
