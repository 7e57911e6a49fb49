/** Steps for people and models: which files, what became of them, and the diff, if it is text and short. */
import { looksBinary } from "../../text/utf8.ts";
import { inSteps, Pace } from "../yield.ts";
import type { State, Step } from "./state.ts";

export interface SeenFile {
  path: string;
  status: "created" | "changed" | "removed" | "moved";
  /** Where it was moved to. */
  to?: string;
}

export interface View {
  files: SeenFile[];
  /** A unified diff. */
  diff: string;
  /** Whether files or parts of the diff were left out. */
  truncated: boolean;
}

export interface ViewOptions {
  /** The bytes of a state, if available. */
  bytes(state: State, path: string): Promise<Uint8Array | undefined>;
  signal?: AbortSignal | undefined;
}

const MOST_FILES = 200;
const MOST_DIFF = 60_000;
const MOST_BYTES = 1024 * 1024;

export async function viewOf(steps: readonly Step[], options: ViewOptions): Promise<View> {
  const files = steps.slice(0, MOST_FILES).map(seen);
  const parts: string[] = [];
  let [length, truncated] = [0, steps.length > MOST_FILES];
  for (const step of steps.slice(0, MOST_FILES)) {
    if (length > MOST_DIFF) {
      truncated = true;
      break;
    }
    const part = await diffOf(step, options);
    length += part.length;
    parts.push(part);
  }
  const diff = parts.join("");
  if (diff.length <= MOST_DIFF) return { files, diff, truncated };
  return { files, diff: `${diff.slice(0, diff.lastIndexOf("\n", MOST_DIFF) + 1)}`, truncated: true };
}

export function seen(step: Step): SeenFile {
  const { path } = step;
  if (step.op === "move") return { path, status: "moved", to: step.dest };
  if (step.before.kind === "absent") return { path, status: "created" };
  return { path, status: step.after.kind === "absent" ? "removed" : "changed" };
}

async function diffOf(step: Step, options: ViewOptions): Promise<string> {
  if (step.op === "move") return `rename ${step.path} => ${step.dest}\n`;
  const isFolder = [step.before, step.after].some(({ kind }) => kind === "folder" || kind === "tree");
  if (isFolder) return `${step.after.kind === "absent" ? "remove" : "create"} folder ${step.path}\n`;
  const [before, after] = [
    await textOf(step.before, step.path, options),
    await textOf(step.after, step.path, options),
  ];
  if (before === undefined || after === undefined) {
    return `change ${step.path} (not text, or too large)\n`;
  }
  const { unifiedDiffSteps } = await import("../../text/diff.ts");
  const diff = await inSteps(unifiedDiffSteps(before, after, { path: step.path }), new Pace(options.signal));
  const ofEmpty = `${step.after.kind === "absent" ? "remove" : "create"} empty file ${step.path}\n`;
  return diff === "" && (before + after) === "" && step.before.kind !== step.after.kind ? ofEmpty : diff;
}

async function textOf(state: State, path: string, { bytes }: ViewOptions): Promise<string | undefined> {
  if (state.kind === "absent") return "";
  if (state.kind !== "file" || state.size > MOST_BYTES) return undefined;
  const found = await bytes(state, path);
  if (found === undefined || looksBinary(found)) return undefined;
  return new TextDecoder().decode(found);
}
