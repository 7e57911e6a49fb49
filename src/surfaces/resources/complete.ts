/** `completion/complete`: completes the template with the names of roots, and with what is in a folder. */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { RESOURCE_TEMPLATE } from "../../text/resource_uri.ts";
import { defineTool } from "../../tools/tool.ts";
import type { ResourcePlaces } from "../resource_places.ts";

/** The protocol's limit for one answer. */
const MOST = 100;

/** Somebody is typing: what takes long is of no use. */
const SOON_MS = 2_000;

export const complete = defineTool({
  name: "completion/complete",
  title: "Complete",
  description: "Completes a root's name or a path.",
  access: "read",
  input: s.object({
    ref: s.object({ type: s.string(), uri: s.string().optional() }),
    argument: s.object({ name: s.string(), value: s.string() }),
    context: s.object({ arguments: s.record(s.string()).optional() }).optional(),
  }),
  output: s.object({
    completion: s.object({ values: s.array(s.string()), total: s.int().optional(), hasMore: s.boolean() }),
  }),
  run: async ({ ref, argument: { name, value }, context }, places: ResourcePlaces) => {
    if (ref.type !== "ref/resource" || ref.uri !== RESOURCE_TEMPLATE) {
      throw new PaddockError(
        "INVALID_INPUT",
        `only the resource template ${RESOURCE_TEMPLATE} can be completed (ref/resource)`,
      );
    }
    if (name === "root") return { value: { completion: await rootsLike(value, places) } };
    if (name === "path") {
      return { value: { completion: await pathsLike(value, context?.arguments?.root, places) } };
    }
    throw new PaddockError("INVALID_INPUT", `the template's arguments are root and path, not ${name}`);
  },
});

interface Completion {
  values: string[];
  total?: number;
  hasMore: boolean;
}

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

async function rootsLike(value: string, places: ResourcePlaces): Promise<Completion> {
  const all = (await places.names()).filter((name) => name.startsWith(value));
  return { values: all.slice(0, MOST), total: all.length, hasMore: all.length > MOST };
}

/** What is in the folder typed so far; folders end in a slash, to continue from there. */
async function pathsLike(
  value: string,
  given: string | undefined,
  places: ResourcePlaces,
): Promise<Completion> {
  const names = await places.names();
  const root = given ?? (names.length === 1 ? names[0] : undefined);
  if (root === undefined) return NOTHING;
  const cut = value.lastIndexOf("/") + 1;
  const [folder, start] = [value.slice(0, cut), value.slice(cut)];
  try {
    const { find } = await import("../../engine/search/mod.ts"); // large, and not always needed
    const found = await find(await places.resolve(root, folder === "" ? "." : folder), {
      regex: `^${literally(start)}`,
      maxDepth: 1,
      maxResults: MOST,
      timeoutMs: Math.min(SOON_MS, places.timeoutMs),
      signal: places.call.signal,
      pool: places.pool,
    });
    const values = found.matches.map(({ path, type }) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return folder + name + (type === "directory" ? "/" : "");
    });
    const hasMore = found.truncated || found.timed_out;
    return { values, ...(!hasMore && { total: values.length }), hasMore };
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code === "INTERNAL" || error.code === "TIMEOUT") {
      throw error;
    }
    // A path that is not complete leads nowhere yet. A refusal is logged for the operator.
    if (error.code === "OUT_OF_BOUNDS" || error.code === "NOT_ALLOWED") places.call.refused?.(error);
    return NOTHING;
  }
}

/** A pattern that matches the text itself. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
