import * as s from "../../../tools/schema/mod.ts";
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
  input: s.strictObject({}),
  output: s.object({
    roots: s.array(s.object({
      name: s.string(),
      allowed_tools: s.array(s.string()),
      undo: s.boolean().optional().describe("Whether changes can be undone."),
      undo_note: s.string().optional().describe("Why not."),
    })),
    fences: s.array(s.string()),
  }),
  compact: ({ roots }) =>
    roots.map(({ name, allowed_tools, undo, undo_note }) => {
      const note = undo === false ? ` (changes cannot be undone: ${undo_note ?? "undo is off"})` : "";
      return `${name}: ${allowed_tools.join(", ")}${note}`;
    }).join("\n"),
  run: (_args, context: RootsContext) => ({ value: { roots: context.roots(), fences: [...context.fences] } }),
});
