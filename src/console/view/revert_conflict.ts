/** Why a commit cannot be reverted on its own. */
import { PaddockError } from "../../base/errors.ts";
import type { History } from "../../engine/history/mod.ts";
import { commitFacts } from "./commits.ts";

/** A conflict as the page shows it: the file, the lines, and the later commit. */
export async function withLaterCommit(
  error: unknown,
  { history, commit }: { history: History; commit: string },
): Promise<unknown> {
  const [first] = error instanceof PaddockError ? error.data?.conflicts as RevertConflict[] ?? [] : [];
  if (!(error instanceof PaddockError) || first === undefined) return error;
  const { path, lines } = first;
  const isUnrecorded = (await history.versions({ from: "HEAD", path })).length > 0;
  const { entries: [last] } = await history.log({ path, limit: 1 });
  const { tool, client } = commitFacts(last?.message ?? "");
  const later = last === undefined || last.commit === commit || isUnrecorded
    ? null
    : { id: last.commit, tool, client };
  return new PaddockError(error.code, error.message, {
    cause: error,
    data: { conflict: { path, lines: lines ?? null, later } },
  });
}

interface RevertConflict {
  readonly path: string;
  readonly lines?: { first: number; last: number };
}
