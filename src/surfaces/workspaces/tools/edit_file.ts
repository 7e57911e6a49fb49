import { z } from "zod";
import { planEdit } from "../../../engine/before_change.ts";
import { sha256 } from "../../../engine/hash.ts";
import { inSteps, Pace } from "../../../engine/yield.ts";
import { unifiedDiffSteps } from "../../../text/diff.ts";
import { expectedHashArgument, hashResult, textArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type OpenWorkspace, type WorkspacesContext } from "../context.ts";
import { commitResult, diffResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";
import { editText } from "../string_edits.ts";

const input = z.strictObject({
  workspaceId: workspaceArgument,
  path: pathArgument,
  edits: z.array(z.strictObject({
    oldText: z.string().min(1),
    newText: textArgument,
  })).min(1).max(10_000),
  dryRun: z.boolean().default(false).describe("only show the diff"),
  expected_hash: expectedHashArgument,
});

type Args = z.output<typeof input>;

export const editFile = defineTool({
  name: "fs_edit_file",
  title: "Edit file",
  description:
    "Replace texts in a file, as one commit, all or none. Each `oldText` must be in the file exactly once, as the edits before it left it. Line endings are kept. An error says where the text nearly is, or all places.",
  details:
    "Replace parts of a text file, and commit that. Each edit replaces the one place where `oldText` stands, exactly " +
    "and only once, by `newText`; each sees what those before it made. Line endings and indentation of the file are " +
    "kept. When a text is not found, or more than once, nothing changes, and the error says where it nearly is, or " +
    "all places. With `dryRun` only the diff is returned. Example: " +
    '{"workspaceId":"my-first-workspace","path":"main.ts","edits":[{"oldText":"let a = 1","newText":"const a = 1"}]}.',
  access: "write",
  input,
  output: z.object({
    dryRun: z.boolean(),
    diff: diffResult.optional(),
    matches: z.int().optional().describe("How many edits fit, in a dry run."),
    path: z.string().optional(),
    changes: z.int().optional().describe("How many edits were applied."),
    bytesWritten: z.int().optional(),
    commit: commitResult.optional(),
    kept: keptResult,
    hash: hashResult.optional(),
  }),
  run: async (args, context: WorkspacesContext) => {
    const { edits, path } = args;
    if (args.dryRun) {
      const { file, before, after } = await edited(await context.open(args.workspaceId), args, context);
      const steps = unifiedDiffSteps(before, after, { path: file.relative });
      const diff = withGitLine(await inSteps(steps, new Pace(context.call.signal)));
      return { value: { dryRun: true, diff, matches: edits.length } };
    }
    const { value: bytes, commit, kept } = await context.change(args.workspaceId, async (workspace) => {
      const { file, bytes, madeFrom } = await edited(workspace, args, context);
      return {
        summary: `Edit ${shownPath(file)}`,
        steps: [{ kind: "put", path: file, bytes, madeFrom }],
        value: bytes,
      };
    });
    return {
      value: {
        dryRun: false,
        path,
        changes: edits.length,
        bytesWritten: bytes.length,
        commit,
        ...(kept === undefined ? {} : { kept }),
        hash: await sha256(bytes),
      },
    };
  },
});

async function edited(workspace: OpenWorkspace, args: Args, { maxSize, call }: WorkspacesContext) {
  const file = workspace.resolve(args.path);
  const planned = await planEdit(file, (text) => editText(text, args.edits, call.signal), {
    maxBytes: maxSize,
    expectedHash: args.expected_hash,
    signal: call.signal,
  });
  return { file, ...planned };
}

/** With the line that git puts before the others; the names in it are those of the two lines below. */
function withGitLine(diff: string): string {
  const [, a, b] = /^--- (.*?)\t?\n\+\+\+ (.*?)\t?\n/.exec(diff) ?? [];
  return a === undefined ? diff : `diff --git ${a} ${b}\n${diff}`;
}
