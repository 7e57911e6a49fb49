/**
 * The second and third interface of the flat surface: objects instead of text, lines counted from 1, and errors
 * with a JSON-RPC code and an HTTP status. A registry over these operations checks, times and logs them like any
 * tool.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { systemCode } from "../../engine/transient.ts";
import { defineTool, type Tool, type ToolResult } from "../../tools/tool.ts";
import { checkEdit, checkList, checkRead } from "./checks.ts";
import type { FlatContext } from "./context.ts";
import { editInput, listInput, readInput } from "./schemas.ts";
import { FlatSurface } from "./surface.ts";

const lineNumber = s.int().min(1);

export const listOperation = operation({
  name: "list_files",
  title: "List files",
  description: "The files of the folder, with the time of their last change and their number of lines.",
  access: "read",
  input: listInput,
  output: s.strictObject({
    files: s.array(s.strictObject({
      name: s.string().describe("Filename without path"),
      modified: s.string().remark({ format: "date-time" }).describe("Last modified timestamp"),
      lines: s.int().min(-1).describe("Number of lines in file (-1 if unable to count)"),
    })),
    total_count: s.int().min(0).describe("Total number of files"),
    directory: s.string().describe("Working directory path"),
  }),
  check: checkList,
  run: async (_args, { folder, call }) => {
    const { files, unlisted } = await folder.list(call.signal);
    return { files, total_count: files.length + unlisted, directory: folder.directory };
  },
});

export const readOperation = operation({
  name: "read_file",
  title: "Read file",
  description: "The content of a file, or of a range of its lines.",
  access: "read",
  input: readInput(1),
  output: s.strictObject({
    content: s.string().describe("File content or specified line range"),
    total_lines: s.int().min(0).describe("Total number of lines in the file"),
    range_requested: s.looseObject({ start_line: lineNumber.optional(), end_line: lineNumber.optional() })
      .optional().describe("Echo of requested range parameters"),
  }),
  check: (given) => checkRead(given, 1),
  run: async ({ name, range }, { folder, call }) => {
    const { start, end } = range;
    const { content, totalLines } = await folder.read(name, range, call);
    const asked = {
      ...(start === undefined ? {} : { start_line: start }),
      ...(end === undefined ? {} : { end_line: end }),
    };
    const isRange = Object.keys(asked).length > 0;
    return { content, total_lines: totalLines, ...(isRange ? { range_requested: asked } : {}) };
  },
});

export const editOperation = operation({
  name: "edit_file",
  title: "Edit file",
  description: "Changes a file by lines, and appends to it, all or nothing.",
  access: "write",
  input: editInput(1, false),
  output: s.strictObject({
    success: s.literal(true).describe("Operation success indicator"),
    lines_modified: s.int().min(0).describe("Number of lines affected by the operation"),
    file_created: s.boolean().describe("Whether a new file was created"),
    new_total_lines: s.int().min(0).describe("Total lines in file after edit"),
  }),
  check: (given) => checkEdit(given, 1),
  run: async ({ name, edits, append, createIfMissing }, { folder, changing }) => {
    const request = { name, edits, append, createIfMissing: createIfMissing ?? false, base: 1 as const };
    const { linesModified, totalLines, created } = await folder.edit(request, changing);
    return {
      success: true as const,
      lines_modified: linesModified,
      file_created: created,
      new_total_lines: totalLines,
    };
  },
});

export const FLAT_OPERATIONS: readonly Tool<FlatContext>[] = [listOperation, readOperation, editOperation];

interface OperationSpec<I extends s.Fielded, O extends s.Fielded, A extends object> {
  name: string;
  title: string;
  description: string;
  access: "read" | "write";
  input: I;
  output: O;
  check(given: unknown): A;
  run(args: A, context: FlatContext): Promise<s.Input<O>>;
}

function operation<I extends s.Fielded, O extends s.Fielded, A extends object>(
  spec: OperationSpec<I, O, A>,
): Tool<FlatContext> {
  const tool = defineTool({
    ...spec,
    run: async (args, context: FlatContext) => ({ value: await spec.run(args as unknown as A, context) }),
  });
  return {
    ...tool,
    check: (given) => refusedBy(spec.name, () => spec.check(given)) as Record<string, unknown>,
  };
}

/** Repeats what is wrong with the arguments for programs. */
function refusedBy<A>(tool: string, check: () => A): A {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    throw new PaddockError(error.code, error.message, {
      data: { tool, validation_errors: [error.message] },
      forLog: error.forLog,
      cause: error,
    });
  }
}

/** An error as programs get it. */
export interface BareError {
  code: number;
  message: string;
  status: number;
  data?: Record<string, unknown>;
}

export class FlatOperations extends FlatSurface {
  readonly forPrograms = true;
  override readonly tools = FLAT_OPERATIONS;

  /** The error goes where the result would: the transport takes it from there. */
  override renderError(error: PaddockError): ToolResult {
    const bare: BareError = {
      ...kindOf(error),
      message: error.message,
      ...(error.data === undefined ? {} : { data: error.data }),
    };
    const { status: _, ...rpcError } = bare;
    return {
      content: [{ type: "text", text: error.message }],
      structuredContent: { ...bare },
      isError: true,
      rpcError,
    };
  }
}

function kindOf(error: PaddockError): { code: number; status: number } {
  switch (error.code) {
    case "INVALID_INPUT":
      return { code: -32602, status: 400 };
    case "NOT_FOUND":
      return { code: -32001, status: 404 };
    case "TOO_LARGE":
      return { code: -32001, status: 413 };
    case "INTERNAL": // ours, unless the system failed
      return { code: systemCode(error) === undefined ? -32603 : -32001, status: 500 };
    default:
      return { code: -32001, status: 500 };
  }
}
