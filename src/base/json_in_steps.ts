/** JSON of long lists, written piece by piece: all at once would block everyone else for too long. */

const PIECE = 1_000;

/**
 * Returns what JSON.stringify does; yields after each piece of a long list that is a direct member of the
 * value.
 */
export function* jsonInSteps(value: Record<string, unknown>): Generator<void, string> {
  const members = Object.entries(value);
  if (!members.some(([, member]) => isLong(member))) return JSON.stringify(value);
  const parts: string[] = [];
  for (const [key, member] of members) {
    const text = isLong(member) ? yield* listInSteps(member) : JSON.stringify(member);
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

function isLong(member: unknown): member is readonly unknown[] {
  return Array.isArray(member) && member.length > PIECE;
}

function* listInSteps(list: readonly unknown[]): Generator<void, string> {
  const parts: string[] = [];
  for (let start = 0; start < list.length; start += PIECE) {
    parts.push(JSON.stringify(list.slice(start, start + PIECE)).slice(1, -1));
    yield;
  }
  return `[${parts.join(",")}]`;
}
