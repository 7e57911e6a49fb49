/**
 * Records every tool that changes files, so that `paddock undo` can undo it; the answer does not show it. Before a
 * read, too, the directories are recovered if a change was left half done.
 */
import type { Tool } from "../../tools/tool.ts";
import { runRecorded } from "../recorded_call.ts";
import type { ClassicContext } from "./context.ts";

export function recorded(tool: Tool<ClassicContext>): Tool<ClassicContext> {
  if (tool.access === "meta") return tool;
  return {
    ...tool,
    run: async (args, context) => {
      const paths = pathsIn(args);
      const roots = context.rootsOf(paths);
      if (tool.access === "read") {
        const settling = context.settle(roots);
        if (settling !== undefined) await settling;
        return await tool.run(args, context);
      }
      const facts = { tool: tool.name, summary: `${tool.name} ${paths.join(" to ")}`.slice(0, 500) };
      const { made } = await runRecorded(context, { facts, roots }, (recording) => tool.run(args, recording));
      return made;
    },
  };
}

function pathsIn({ path, source, destination, paths }: Record<string, unknown>): string[] {
  const all = [path, source, destination, ...Array.isArray(paths) ? paths : []];
  return all.filter((each) => typeof each === "string");
}
