/** Section 3.1: the schemas of requests and answers, as the specification of the flat surface has them. */

const name = { type: "string", pattern: "^[a-zA-Z0-9._-]+$", minLength: 1, maxLength: 255 };
const line = { type: "integer", minimum: 1 };
const count = { type: "integer", minimum: 0 };

export interface Contract {
  request: unknown;
  response: unknown;
}

export const CONTRACT: Record<string, Contract> = {
  list_files: {
    request: { type: "object", properties: {}, additionalProperties: false },
    response: {
      type: "object",
      properties: {
        files: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              modified: { type: "string", format: "date-time" },
              lines: { type: "integer", minimum: -1 },
            },
            required: ["name", "modified", "lines"],
            additionalProperties: false,
          },
        },
        total_count: count,
        directory: { type: "string" },
      },
      required: ["files", "total_count", "directory"],
      additionalProperties: false,
    },
  },
  read_file: {
    request: {
      type: "object",
      properties: { name, start_line: line, end_line: line },
      required: ["name"],
      additionalProperties: false,
    },
    response: {
      type: "object",
      properties: {
        content: { type: "string" },
        total_lines: count,
        range_requested: { type: "object", properties: { start_line: line, end_line: line } },
      },
      required: ["content", "total_lines"],
      additionalProperties: false,
    },
  },
  edit_file: {
    request: {
      type: "object",
      properties: {
        name,
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: {
              line,
              content: { type: "string" },
              operation: { type: "string", enum: ["replace", "insert", "delete"] },
            },
            required: ["line", "operation"],
            additionalProperties: false,
          },
          maxItems: 1000,
        },
        append: { type: "string" },
        create_if_missing: { type: "boolean", default: false },
      },
      required: ["name"],
      additionalProperties: false,
    },
    response: {
      type: "object",
      properties: {
        success: { type: "boolean", const: true },
        lines_modified: count,
        file_created: { type: "boolean" },
        new_total_lines: count,
      },
      required: ["success", "lines_modified", "file_created", "new_total_lines"],
      additionalProperties: false,
    },
  },
};

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A schema without its descriptions, which are for people, and without what says nothing: that other properties may
 * be anything. A property may itself be called "description".
 */
export function essence(schema: unknown, isSchema = true): Json {
  const value = schema as Json;
  if (Array.isArray(value)) return value.map((item) => essence(item));
  if (typeof value !== "object" || value === null) return value;
  const isIdle = (key: string, part: Json) =>
    key === "description" || (key === "additionalProperties" && JSON.stringify(part) === "{}");
  const kept = Object.entries(value).filter(([key, part]) => !isSchema || !isIdle(key, part));
  return Object.fromEntries(
    kept.map(([key, part]) => [key, essence(part, key !== "properties" || !isSchema)]),
  );
}
