/** Several operations as one change of a workspace: their net effect, in steps that are taken all or not at all. */
import { PaddockError } from "../../../base/errors.ts";
import type { Step } from "../store.ts";
import { refuseColliding } from "./colliding_names.ts";
import { netSteps } from "./net_steps.ts";
import { type Operation, Planner, type PlanningContext } from "./operations.ts";
import { PlannedTree } from "./planned_tree.ts";
import { Room } from "./room.ts";

export type { Operation };

/** Throws for the first operation that fails; the error names it as `changes[3]`. */
export async function planOperations(
  operations: readonly Operation[],
  context: Omit<PlanningContext, "room">,
): Promise<Step[]> {
  const tree = new PlannedTree(context.resolve("."));
  const room = new Room();
  const planner = new Planner(tree, { ...context, room });
  for (const [index, operation] of operations.entries()) {
    try {
      await planner.add(operation, index);
    } catch (error) {
      throw error instanceof PaddockError ? numbered(error, index) : error;
    }
  }
  const steps = await netSteps(tree, { room, signal: context.signal });
  refuseColliding(steps, tree);
  return steps;
}

function numbered(error: PaddockError, index: number): PaddockError {
  const { code, message, data, audit, forLog, cause } = error;
  if (message.startsWith("changes[") || code === "TIMEOUT" || code === "INTERNAL") return error;
  return new PaddockError(code, `changes[${index}]: ${message}. Nothing was changed.`, {
    data: { ...data, changeIndex: index },
    ...(audit === undefined ? {} : { audit }),
    forLog: `changes[${index}]: ${forLog}`,
    cause: cause ?? error,
    lines: true,
  });
}
