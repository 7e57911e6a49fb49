import { z } from "zod";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const listRoots = defineTool({
  name: "list_roots",
  title: "List roots",
  description:
    "List the roots: the directories this server can reach, with the tools allowed on each. Every other tool takes one of these names as `root` and paths relative to it.",
  details: "List the roots (named directories) that this server can access, and the tools allowed " +
    "on each. Call this first: every other tool takes one of these names as `root`. Takes no arguments. " +
    'Example: {} gives {"roots":[{"name":"src","allowed_tools":["list_folder","read_file"]}]}.',
  access: "meta",
  input: z.strictObject({}),
  output: z.object({
    roots: z.array(z.object({
      name: z.string(),
      allowed_tools: z.array(z.string()),
      undo: z.boolean().optional().describe("Whether changes can be undone."),
      undo_note: z.string().optional().describe("Why not."),
    })),
    fences: z.array(z.string()),
  }),
  compact: ({ roots }) =>
    roots.map(({ name, allowed_tools, undo, undo_note }) => {
      const note = undo === false ? ` (changes cannot be undone: ${undo_note ?? "undo is off"})` : "";
      return `${name}: ${allowed_tools.join(", ")}${note}`;
    }).join("\n"),
  run: (_args, context: RootsContext) => ({ value: { roots: context.roots(), fences: [...context.fences] } }),
});
