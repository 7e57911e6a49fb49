/**
 * The operations of apply_changes: one flat schema for all kinds, because not every model API supports
 * alternatives. Which argument belongs to which kind is checked here, and all mistakes are reported at once.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import type { Operation } from "../../engine/undo/asking.ts";
import { hashArgument, textArgument } from "../../tools/schemas.ts";
import { editsArgument, stringEditsOf } from "./edits_argument.ts";

const LONGEST_PATH = 4_096;
const MOST_MISTAKES = 10;

const path = s.string().max(LONGEST_PATH).optional();

export const changeArgument = s.strictObject({
  op: s.choice(["write", "edit", "delete", "move", "mkdir"]),
  path,
  content: textArgument.optional(),
  edits: editsArgument.optional(),
  source: path,
  destination: path,
  expected_hash: hashArgument("expected_hash").optional(),
});

export type GivenChange = s.Output<typeof changeArgument>;

type Name = Exclude<keyof GivenChange, "op">;

const TAKES: Record<GivenChange["op"], { needs: readonly Name[]; may?: readonly Name[] }> = {
  write: { needs: ["path", "content"], may: ["expected_hash"] },
  edit: { needs: ["path", "edits"], may: ["expected_hash"] },
  delete: { needs: ["path"], may: ["expected_hash"] },
  move: { needs: ["source", "destination"] },
  mkdir: { needs: ["path"] },
};

export function operationsOf(changes: readonly GivenChange[]): Operation[] {
  const mistakes = changes.flatMap(mistakesIn);
  if (mistakes.length > 0) {
    const more = mistakes.length - MOST_MISTAKES;
    const listed = [...mistakes.slice(0, MOST_MISTAKES), ...(more > 0 ? [`and ${more} more mistakes`] : [])];
    throw new PaddockError("INVALID_INPUT", `${listed.join("; ")}; nothing was changed`);
  }
  return changes.map(operationOf);
}

function mistakesIn(change: GivenChange, index: number): string[] {
  const { op } = change;
  const { needs, may = [] } = TAKES[op];
  const names = Object.keys(change) as (keyof GivenChange)[];
  const given = names.filter((name): name is Name => name !== "op" && change[name] !== undefined);
  const takes = `${op} takes ${[...needs, ...may].join(", ")}`;
  return [
    ...needs.filter((name) => !given.includes(name)).map((name) =>
      `changes[${index}].${name} is required (${takes})`
    ),
    ...given.filter((name) => !needs.includes(name) && !may.includes(name)).map((name) =>
      `changes[${index}].${name} does not belong there (${takes})`
    ),
  ];
}

function operationOf(change: GivenChange): Operation {
  const { op, path = "", content = "", edits = [], source = "", destination = "" } = change;
  const expectedHash = change.expected_hash;
  switch (op) {
    case "write":
      return { op, path, content, expectedHash };
    case "edit":
      return { op, path, edits: stringEditsOf(edits), expectedHash };
    case "delete":
      return { op, path, expectedHash };
    case "move":
      return { op, source, destination };
    case "mkdir":
      return { op, path };
  }
}

const MOST_LISTED = 3;

/** For the history: the first few, and how many more. */
export function summaryOf(operations: readonly Operation[]): string {
  const listed = operations.slice(0, MOST_LISTED).map((operation) =>
    operation.op === "move"
      ? `move ${operation.source} to ${operation.destination}`
      : `${operation.op} ${operation.path}`
  );
  const more = operations.length - listed.length;
  return `apply_changes: ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`.slice(0, 500);
}
