/**
 * A result as a model reads it with --text=compact, where its tool has no format of its own: short values in
 * one line, then lists, then multi-line texts as they are. What says nothing (no, none, empty) is left out.
 */

type Fields = Readonly<Record<string, unknown>>;

export function compactFields(
  value: Fields,
  { leaveOut = [] }: { leaveOut?: readonly string[] } = {},
): string {
  const kept = Object.entries(value).filter(([name, field]) => !leaveOut.includes(name) && says(field));
  const isText = (field: unknown): field is string => typeof field === "string" && field.includes("\n");
  const short = kept.filter(([, field]) => typeof field !== "object" && !isText(field));
  const lists = kept.filter(([, field]) => typeof field === "object");
  return [
    short.map(([name, field]) => `${name}: ${field}`).join(", "),
    ...lists.map(([name, field]) => `${name}: ${JSON.stringify(field)}`),
    ...kept.flatMap(([, field]) => isText(field) ? [field] : []),
  ].filter((part) => part !== "").join("\n");
}

function says(field: unknown): boolean {
  if (Array.isArray(field)) return field.length > 0;
  return field !== undefined && field !== null && field !== false && field !== "";
}
