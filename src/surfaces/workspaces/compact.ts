/** What several tools of the surface tell a model that reads compact text. */

interface Page {
  /** How many there are in all, where that is known. */
  count?: number;
  nextOffset?: number | undefined;
  unnamed?: number | undefined;
}

/** The lines of one page of a list, and how to go on. */
export function pageText(lines: readonly string[], { count, nextOffset, unnamed }: Page): string {
  const told = lines.filter((line) => line !== "");
  const of = count === undefined ? "" : ` of ${count}`;
  return [
    ...(told.length === 0 ? ["none"] : told),
    ...(unnamed === undefined ? [] : [`(${unnamed} more whose names are not UTF-8)`]),
    ...(nextOffset === undefined ? [] : [`(more${of}: offset=${nextOffset})`]),
  ].join("\n");
}

interface Changes {
  files: readonly { path: string; status: string; from?: string | undefined }[];
  count: number;
  diff: string;
  truncated: boolean;
}

/** The diff names its files; those that it leaves out are named apart. */
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

/** What a dry run tells. */
export function previewText(
  { files, count, diff = "", truncated = false, skipped = [], merged = [] }: Preview,
) {
  return [
    count === 0 ? "nothing would change" : `nothing was changed (dryRun); ${count} files would be:`,
    ...(count === 0 ? [] : [changesText({ files, count, diff, truncated })]),
    ...(merged.length === 0 ? [] : [`merged with later changes: ${merged.join(", ")}`]),
    ...skipped.map(({ path, reason }) => `left: ${path} (${reason})`),
  ].join("\n");
}
