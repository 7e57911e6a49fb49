/** The schemas of arguments, as listed for clients; checks.ts checks them, with the surface's own wording. */
import * as s from "../../tools/schema/mod.ts";
import { type Base, MAX_EDITS } from "./checks.ts";
import { NAME_MAX, NAME_PATTERN } from "./names.ts";

const name = s.string().min(1).max(NAME_MAX).regex(new RegExp(NAME_PATTERN)).describe(
  "without path components",
);

const line = (base: Base) => s.int().min(base).describe(`${base}-based`);

export const listInput = s.strictObject({});

export function readInput(base: Base) {
  return s.strictObject({
    name,
    start_line: line(base).optional(),
    end_line: line(base).optional(),
  });
}

export function editInput(base: Base, createByDefault: boolean) {
  return s.strictObject({
    name,
    edits: s.array(s.strictObject({
      line: line(base),
      operation: s.choice(["replace", "insert", "delete"]),
      content: s.string().optional().describe("not for delete"),
    })).max(MAX_EDITS).optional(),
    append: s.string().optional(),
    create_if_missing: s.boolean().default(createByDefault),
  });
}
