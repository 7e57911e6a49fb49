/**
 * Records every tool that changes files, in one place: its answer gets the id of the change, by which it can be
 * undone, or says why it cannot be.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import type { CallOutcome } from "../../engine/undo/mod.ts";
import type { Tool } from "../../tools/tool.ts";
import { runRecorded } from "../recorded_call.ts";
import type { RootsContext } from "./context.ts";

const changeResult = {
  change: s.string().optional().describe("Id of the change, for undo; missing if nothing was changed."),
  also: s.object({ root: s.string(), id: s.string() }).optional()
    .describe("The other half of a change in two roots, undone separately."),
  undoable: s.literal(false).optional().describe("Set if the change, or part of it, cannot be undone."),
  undo_note: s.string().optional().describe("Why not, or what else to know about undo."),
};

/** The arguments that name the roots of a call. */
const ROOTS = ["root", "source_root", "dest_root"];

/** Before a read, too, the root is recovered if a change was left half done. */
export function recorded(tool: Tool<RootsContext>): Tool<RootsContext> {
  if (tool.access === "meta" || tool.recordsItself) return tool;
  if (tool.access === "read") {
    const run: typeof tool.run = (args, context) => {
      const settling = context.settle(rootsIn(args));
      return settling === undefined ? tool.run(args, context) : settling.then(() => tool.run(args, context));
    };
    return { ...tool, run };
  }
  return {
    ...tool,
    output: tool.output.extend(changeResult),
    run: async (args, context) => {
      const facts = { tool: tool.name, summary: summaryOf(tool.name, args) };
      const { made, outcome } = await runRecorded(
        context,
        { facts, roots: rootsIn(args), failed: withChange },
        (recording) => tool.run(args, recording),
      );
      return outcome === undefined ? made : { ...made, value: { ...made.value, ...changeFacts(outcome) } };
    },
  };
}

function rootsIn(args: Record<string, unknown>): string[] {
  const roots: string[] = [];
  for (const name of ROOTS) if (typeof args[name] === "string") roots.push(args[name]);
  return roots;
}

interface ChangeFacts {
  change?: string;
  also?: { root: string; id: string };
  undoable?: false;
  undo_note?: string;
}

export function changeFacts({ id, also, whyNot, note }: CallOutcome): ChangeFacts {
  const notes = [whyNot, note].filter((each) => each !== undefined);
  return {
    ...(id !== undefined && { change: id }),
    ...(also !== undefined && { also }),
    ...(whyNot !== undefined && { undoable: false as const }),
    ...(notes.length > 0 && { undo_note: notes.join("; ") }),
  };
}

/** What a call did before it failed can be undone, too. */
function withChange(error: unknown, { id }: CallOutcome): unknown {
  if (id === undefined || !(error instanceof PaddockError)) return error;
  const { code, message, data, audit } = error;
  return new PaddockError(code, `${message}; what was done is change ${id}, which can be undone`, {
    cause: error,
    ...(data === undefined ? {} : { data }),
    ...(audit === undefined ? {} : { audit }),
  });
}

/** What a call does, in a few words for people. */
function summaryOf(tool: string, args: Record<string, unknown>): string {
  const text = (name: string) => typeof args[name] === "string" ? args[name] : "";
  if (text("source_path") !== "") return `${tool} ${text("source_path")} to ${text("dest_path")}`;
  const how = args.mode === "append" ? " (append)" : "";
  return `${tool} ${text("path")}${how}`.slice(0, 500);
}
