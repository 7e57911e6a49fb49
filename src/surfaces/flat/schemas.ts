/** The schemas of arguments, as listed for clients; checks.ts checks them, with the surface's own wording. */
import { z } from "zod";
import { type Base, MAX_EDITS } from "./checks.ts";
import { NAME_MAX, NAME_PATTERN } from "./names.ts";

const name = z.string().min(1).max(NAME_MAX).regex(new RegExp(NAME_PATTERN)).describe(
  "without path components",
);

const line = (base: Base) => z.int().min(base).describe(`${base}-based`);

export const listInput = z.strictObject({});

export function readInput(base: Base) {
  return z.strictObject({
    name,
    start_line: line(base).optional(),
    end_line: line(base).optional(),
  });
}

export function editInput(base: Base, createByDefault: boolean) {
  return z.strictObject({
    name,
    edits: z.array(z.strictObject({
      line: line(base),
      operation: z.enum(["replace", "insert", "delete"]),
      content: z.string().optional().describe("not for delete"),
    })).max(MAX_EDITS).optional(),
    append: z.string().optional(),
    create_if_missing: z.boolean().default(createByDefault),
  });
}
