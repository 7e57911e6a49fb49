/** The shapes of arguments, as listed for clients; checks.ts is what checks them, in the surface's own words. */
import { z } from "zod";
import { type Base, MAX_EDITS } from "./checks.ts";
import { NAME_MAX, NAME_PATTERN } from "./names.ts";

const name = z.string().min(1).max(NAME_MAX).regex(new RegExp(NAME_PATTERN)).describe(
  "Filename without path components",
);

const line = (base: Base, what: string) => z.int().min(base).describe(`${what} (${base}-based)`);

export const listInput = z.strictObject({});

export function readInput(base: Base) {
  return z.strictObject({
    name,
    start_line: line(base, "First line to read, inclusive").optional(),
    end_line: line(base, "Last line to read, inclusive").optional(),
  });
}

export function editInput(base: Base, createByDefault: boolean) {
  return z.strictObject({
    name,
    edits: z.array(z.strictObject({
      line: line(base, "Line of the file as it is now"),
      operation: z.enum(["replace", "insert", "delete"]).describe("Type of edit operation"),
      content: z.string().optional().describe("New content for the line (not for delete)"),
    })).max(MAX_EDITS).optional().describe("Line-based edit operations, all or nothing"),
    append: z.string().optional().describe("Content to append to the end of the file"),
    create_if_missing: z.boolean().default(createByDefault).describe("Create the file if it does not exist"),
  });
}
