import * as s from "../../../tools/schema/mod.ts";
import { planEdit } from "../../../engine/before_change.ts";
import { sha256 } from "../../../engine/hash.ts";
import { inSteps, Pace } from "../../../engine/yield.ts";
import { unifiedDiffSteps } from "../../../text/diff.ts";
import { expectedHashArgument, hashResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { OpenWorkspace, WorkspacesContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import {
  commitResult,
  diffResult,
  dryRunArgument,
  keptResult,
  pathArgument,
  workspaceArgument,
} from "../schemas.ts";
import { shownPath } from "../shown_path.ts";
import { editsArgument, editText } from "../string_edits.ts";

const input = s.strictObject({
  workspaceId: workspaceArgument,
  path: pathArgument,
  edits: editsArgument.min(1),
  dryRun: dryRunArgument,
  expected_hash: expectedHashArgument,
});

type Args = s.Output<typeof input>;

export const editFile = defineTool({
  name: "fs_edit_file",
  title: "Edit file",
  description:
    "Replace texts in a file, as one commit, all or none. Each `oldText` must occur once, after the edits before it, or say which: `nearLine`, `replaceAll`. Line endings stay. `kept`: a commit that saved a person's changes first.",
  details:
    "Replace parts of a text file, and commit that. Each edit replaces the one exact occurrence of `oldText` " +
    "by `newText`; each sees the result of those before it. If it occurs several times, `nearLine` says which is meant (a " +
    "line number of the current file), or `replaceAll` that all are. Line endings and indentation of the file are " +
    "kept. If a text is not found, nothing changes, and the error shows the nearest lines of the file and says how " +
    "they differ. With `dryRun` only the diff is returned. Example: " +
    '{"workspaceId":"my-first-workspace","path":"main.ts","edits":[{"oldText":"let a = 1","newText":"const a = 1"}]}.',
  access: "write",
  input,
  output: s.object({
    dryRun: s.boolean(),
    diff: diffResult.optional(),
    matches: s.int().optional().describe("How many edits fit, in a dry run."),
    path: s.string().optional(),
    changes: s.int().optional().describe("How many edits were applied."),
    bytesWritten: s.int().optional(),
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

async function edited(workspace: OpenWorkspace, args: Args, context: WorkspacesContext) {
  const { maxSize, call } = context;
  const file = workspace.resolve(args.path);
  const meant = { workspaceId: args.workspaceId, path: args.path };
  const edit = (text: string) => editText(text, args.edits, { path: args.path, signal: call.signal });
  const options = { maxBytes: maxSize, expectedHash: args.expected_hash, signal: call.signal };
  const planned = await withNearbyNames(context, meant, () => planEdit(file, edit, options));
  return { file, ...planned };
}

/** Adds the line that git puts first; its names are those of the two lines below. */
function withGitLine(diff: string): string {
  const [, a, b] = /^--- (.*?)\t?\n\+\+\+ (.*?)\t?\n/.exec(diff) ?? [];
  return a === undefined ? diff : `diff --git ${a} ${b}\n${diff}`;
}
