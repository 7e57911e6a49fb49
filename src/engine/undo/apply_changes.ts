/**
 * Several changes as one: planned on the root as it is, then carried out, all or nothing. If somebody saves one of
 * the files in between, it starts over with what is there then.
 */
import { type CarryingOut, planAndCarryOut } from "./carry_out.ts";
import type { Wanted } from "./changes.ts";
import { Elsewhere, Meanwhile } from "./conflict.ts";
import type { Plan } from "./plan.ts";
import { planChanges } from "./plan_changes.ts";
import { seen, type SeenFile } from "./view.ts";

export interface AppliedFile extends SeenFile {
  /** For a file that was written. */
  hash?: string;
}

export interface Applied {
  /** Missing if nothing had to be changed, or in a dry run. */
  change?: string;
  files: AppliedFile[];
  /** Of the edits; in a dry run, of everything. */
  diff: string;
  /** Whether parts of the diff were left out. */
  truncated: boolean;
}

export interface Applying {
  readonly carrying: CarryingOut;
  readonly dryRun: boolean;
  newPlan(): Plan;
}

export interface Made {
  plan: Plan;
  edited: ReadonlySet<string>;
  id?: string;
}

const ATTEMPTS = 10;

export async function applyChanges(
  wanted: Wanted,
  { carrying, dryRun, newPlan }: Applying,
): Promise<Made> {
  let edited: ReadonlySet<string> = new Set();
  let isApart = false;
  const make = async () => {
    const plan = newPlan();
    edited = await planChanges(plan, wanted, { isApart });
    return plan;
  };
  for (let attempt = 1;; attempt++) {
    try {
      const made = dryRun ? { plan: await make() } : await planAndCarryOut(make, carrying);
      return { ...made, edited };
    } catch (error) {
      const isBehind = error instanceof Meanwhile && attempt < ATTEMPTS;
      if (!isBehind && (isApart || !(error instanceof Elsewhere))) throw error;
      isApart ||= error instanceof Elsewhere;
    }
  }
}

export function appliedFiles({ steps }: Plan): AppliedFile[] {
  return steps.map((step) => {
    const hash = step.op === "put" && step.after.kind === "file" ? step.after.hash : undefined;
    return { ...seen(step), ...(hash !== undefined && { hash }) };
  });
}
