/**
 * `resources/list`: the files of the roots, root by root and sorted by path, a page at a time. What git ignores is
 * left out, as are links and what no listing shows; all of that can still be read by its address.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { plainType, typeByName } from "../../engine/media.ts";
import { resourceUri } from "../../text/resource_uri.ts";
import { defineTool } from "../../tools/tool.ts";
import { cursorAfter, placeOfCursor, unknownCursor } from "./cursor.ts";
import type { ResourcePlaces } from "../resource_places.ts";

/** Few enough for a client that shows them, many enough for one that fetches them all. */
export const PAGE = 500;

/** How much of a call's time is left for the answer. */
const ANSWER_MS = 500;

const resource = s.object({
  uri: s.string(),
  name: s.string(),
  mimeType: s.string().optional(),
  size: s.int(),
  annotations: s.object({ lastModified: s.string() }),
});

type Resource = s.Output<typeof resource>;

export const listResources = defineTool({
  name: "resources/list",
  title: "List resources",
  description: "The files of the roots, a page at a time.",
  access: "read",
  input: s.object({ cursor: s.string().optional() }),
  output: s.object({ resources: s.array(resource), nextCursor: s.string().optional() }),
  run: async ({ cursor }, places: ResourcePlaces) => {
    const names = await places.names();
    const from = cursor === undefined ? undefined : placeOfCursor(cursor);
    const first = from === undefined ? 0 : names.indexOf(from.root);
    if (first < 0) throw unknownCursor();
    const resources: Resource[] = [];
    const endsAt = performance.now() + Math.max(ANSWER_MS, places.timeoutMs - ANSWER_MS);
    for (const [i, root] of names.slice(first).entries()) {
      const after = i === 0 ? from?.path : undefined;
      const found = await filesOf(root, places, { after, most: PAGE - resources.length, endsAt });
      resources.push(...found.resources);
      if (found.isAll) continue;
      return { value: { resources, nextCursor: cursorAfter({ root, path: found.last }) } };
    }
    return { value: { resources } };
  },
});

interface Part {
  after: string | undefined;
  most: number;
  endsAt: number;
}

/** The next files of a root; `last` is the one to continue after. */
async function filesOf(root: string, places: ResourcePlaces, { after, most, endsAt }: Part) {
  if (most === 0) return { resources: [], isAll: false, last: after ?? "" };
  const { find } = await import("../../engine/search/mod.ts"); // large, and not always needed
  const { call, pool } = places;
  const found = await find(await places.resolve(root, "."), {
    glob: "**",
    typeFilter: "file",
    respectGitignore: true,
    maxResults: most,
    after,
    timeoutMs: Math.max(1, endsAt - performance.now()),
    signal: call.signal,
    pool,
    mayEnter: ({ owner, root }) => owner === root, // another root's files are listed there, if allowed
  });
  const last = found.matches.at(-1)?.path;
  if (found.timed_out && last === undefined) {
    throw new PaddockError(
      "TIMEOUT",
      "timed out while listing files; start the server with a larger --timeout",
    );
  }
  const resources = found.matches.map(({ path, size, modified_at }): Resource => {
    const type = typeByName(path);
    return {
      uri: resourceUri({ root, path }),
      name: path,
      ...(type !== undefined && { mimeType: plainType(type) }),
      size,
      annotations: { lastModified: modified_at },
    };
  });
  return { resources, isAll: !found.truncated && !found.timed_out, last: last ?? after ?? "" };
}
