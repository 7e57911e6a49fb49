/**
 * A tool of the classic surface: it answers with one text, and words invalid arguments like the official server.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import type { Access, Tool, ToolListing, ToolOutput } from "../../tools/tool.ts";
import type { ClassicContext } from "./context.ts";

export interface ClassicToolSpec<I extends s.Fielded> {
  readonly name: string;
  readonly title: string;
  /** As the official server has it. */
  readonly description: string;
  readonly access: Access;
  readonly input: I;
  /** Hints for a tool that changes files; one that reads needs none. */
  readonly hints?: { readonly idempotentHint: boolean; readonly destructiveHint: boolean };
  run(args: s.Output<I>, context: ClassicContext): Promise<TextAnswer | string> | TextAnswer | string;
}

/** A text, and what else there is to know. */
export interface TextAnswer {
  readonly text: string;
  readonly note?: string | undefined;
}

const textOutput = s.object({ content: s.string() });

export function defineTextAnswer<I extends s.Fielded>(spec: ClassicToolSpec<I>): Tool<ClassicContext> {
  return defineAnswer(spec, {
    output: textOutput,
    run: async (args, context) => {
      const answer = await spec.run(args, context);
      const { text, note } = typeof answer === "string" ? { text: answer, note: undefined } : answer;
      return { value: { content: text }, text, ...(note === undefined ? {} : { note }) };
    },
  });
}

interface Answering<I extends s.Fielded> {
  readonly output: s.Fielded;
  run(args: s.Output<I>, context: ClassicContext): Promise<ToolOutput<Record<string, unknown>>>;
}

export function defineAnswer<I extends s.Fielded>(
  { hints, ...spec }: Omit<ClassicToolSpec<I>, "run">,
  { output, run }: Answering<I>,
): Tool<ClassicContext> {
  const annotations: ToolListing["annotations"] = spec.access === "write"
    ? { readOnlyHint: false, ...hints, openWorldHint: false }
    : { readOnlyHint: true, openWorldHint: false };
  return {
    ...spec,
    hints: annotations,
    output,
    check: (given) => checked(spec, given),
    run: (args, context) => run(args as s.Output<I>, context),
  };
}

/** Far more than anybody reads. */
const MOST_ISSUES = 20;

function checked(
  { name, input }: Pick<ClassicToolSpec<s.Fielded>, "name" | "input">,
  given: unknown,
): Record<string, unknown> {
  const { value, issues } = input.check(given ?? {});
  if (issues === undefined) return value;
  const listed = issues.slice(0, MOST_ISSUES)
    .map(({ message, path }) => path.length === 0 ? message : `${message} at ${nameOf(path)}`);
  throw new PaddockError(
    "INVALID_INPUT",
    `MCP error -32602: Input validation error: Invalid arguments for tool ${name}: ${listed.join("\n")}`,
    {
      lines: true,
      forLog: `invalid arguments: ${issues.slice(0, MOST_ISSUES).map(({ path }) => nameOf(path))}`,
    },
  );
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map((part, i) =>
    i === 0 ? String(part) : typeof part === "number" ? `[${part}]` : `.${String(part)}`
  )
    .join("");
}
