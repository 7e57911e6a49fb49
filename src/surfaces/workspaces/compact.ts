/** What several tools of the surface show a model that reads compact text. */

interface Page {
  /** The total, if known. */
  count?: number;
  nextOffset?: number | undefined;
  unnamed?: number | undefined;
}

/** The lines of one page of a list, and how to continue. */
export function pageText(lines: readonly string[], { count, nextOffset, unnamed }: Page): string {
  const shown = lines.filter((line) => line !== "");
  const of = count === undefined ? "" : ` of ${count}`;
  return [
    ...(shown.length === 0 ? ["none"] : shown),
    ...(unnamed === undefined ? [] : [`(${unnamed} more with names that are not UTF-8)`]),
    ...(nextOffset === undefined ? [] : [`(more${of}: offset=${nextOffset})`]),
  ].join("\n");
}

interface Changes {
  files: readonly { path: string; status: string; from?: string | undefined }[];
  count: number;
  diff: string;
  truncated: boolean;
}

/** The diff names its files; those it leaves out are listed separately. */
export function changesText({ files, count, diff, truncated }: Changes): string {
  if (count === 0) return "no differences";
  if (!truncated) return diff;
  const names = files.map(({ path, status, from }) =>
    `${status} ${from === undefined ? "" : `${from} -> `}${path}`
  );
  return `${names.join("\n")}\n${diff}\n(cut: ${count} files differ; ask for one path)`;
}

interface Preview {
  files: Changes["files"];
  count: number;
  diff?: string | undefined;
  truncated?: boolean | undefined;
  skipped?: readonly { path: string; reason: string }[] | undefined;
  merged?: readonly string[] | undefined;
}

/** The result of a dry run. */
export function previewText(
  { files, count, diff = "", truncated = false, skipped = [], merged = [] }: Preview,
) {
  return [
    count === 0 ? "nothing would change" : `nothing was changed (dryRun); ${count} files would change:`,
    ...(count === 0 ? [] : [changesText({ files, count, diff, truncated })]),
    ...(merged.length === 0 ? [] : [`merged with later changes: ${merged.join(", ")}`]),
    ...skipped.map(({ path, reason }) => `skipped: ${path} (${reason})`),
  ].join("\n");
}
