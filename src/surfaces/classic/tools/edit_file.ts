import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { type ConfinedPath, quote } from "../../../engine/fence.ts";
import { editText, planEdit } from "../../../engine/edit.ts";
import { statEntry } from "../../../engine/metadata.ts";
import { inSteps, Pace } from "../../../engine/yield.ts";
import { classicDiffSteps } from "../../../text/classic_diff.ts";
import { nearestText } from "../../../text/edit_words.ts";
import { type FlexibleEdit, FlexibleEditError, flexibleEditSteps } from "../../../text/flexible_edits.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import { textArgument } from "../../../tools/schemas.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { opened, tooLarge } from "../read_text.ts";
import { systemError } from "../system_words.ts";

export const editFile = defineTextAnswer({
  name: "edit_file",
  title: "Edit File",
  description: "Make line-based edits to a text file. Each edit replaces exact line sequences " +
    "with new content. Returns a git-style diff showing the changes made. " +
    "Only works within allowed directories.",
  access: "write",
  hints: { idempotentHint: false, destructiveHint: true },
  input: s.object({
    path: s.string(),
    edits: s.array(s.object({
      oldText: s.string().describe("Text to search for - must match exactly"),
      newText: textArgument.describe("Text to replace with"),
    })),
    dryRun: s.boolean().default(false).describe("Preview changes using git-style diff format"),
  }),
  run: async ({ path, edits, dryRun }, { resolve, changing, maxSize }) => {
    const resolved = resolve(path);
    const { signal } = changing;
    const pace = new Pace(signal);
    let before = "";
    let after = "";
    const edit = async (text: string) => {
      before = text;
      after = await inSteps(flexibleEditSteps(text, edits), pace).catch((error) => {
        throw error instanceof FlexibleEditError ? inWords(error, { edits, path: resolved }) : error;
      });
      return after;
    };
    const options = {
      maxBytes: maxSize,
      tooLarge: (size: number) => tooLarge(resolved, sizeAndLimit(size, maxSize)),
      notText: () => notText(resolved),
    };
    await opened(resolved, async () => {
      if (statEntry(resolved) === undefined) {
        throw systemError("ENOENT", { call: "open", path: resolved.absolute });
      }
      if (dryRun) await planEdit(resolved, edit, { ...options, signal });
      else await editText(resolved, edit, { ...options, changing });
    });
    return await inSteps(classicDiffSteps(before, after, resolved.absolute), new Pace(undefined)); // it has happened
  },
});

function notText({ absolute }: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `Cannot edit ${absolute}: it is not valid UTF-8, and editing it as text would destroy the invalid bytes. ` +
      "Nothing was changed.",
  );
}

interface Failed {
  readonly edits: readonly FlexibleEdit[];
  readonly path: ConfinedPath;
}

function inWords({ index, failure }: FlexibleEditError, { edits, path }: Failed): PaddockError {
  const oldText = edits[index]?.oldText ?? "";
  const options = { lines: true, forLog: `edits[${index}].oldText does not fit` };
  const make = (message: string) => new PaddockError("INVALID_INPUT", message, options);
  if (failure.kind === "empty") {
    return make(
      `edits[${index}].oldText is empty; give text of the file, or use write_file to replace all of it. ` +
        "Nothing was changed.",
    );
  }
  if (failure.kind === "several") {
    const { count, lines } = failure;
    const more = count > lines.length ? `\nand ${count - lines.length} more` : "";
    return make(
      `edits[${index}].oldText is ${count} times in ${quote(path.absolute)}:\n${
        lines.map(({ line, text }) => `${line}:${text}`).join("\n")
      }${more}\nNothing was changed. Give more of the text around the place that is meant.`,
    );
  }
  const nearest = failure.kind === "missing" ? nearestText(failure.nearest, oldText) : undefined;
  const hint = nearest === undefined ? "" : `\n\n${nearest}\nNothing was changed.`;
  return make(`Could not find exact match for edit:\n${oldText}${hint}`);
}
