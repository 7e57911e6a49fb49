/**
 * `resources/subscribe`, the surface's part: whether the file may be read, and its paths on the host, by which
 * changes are noticed. Those paths stay in the server.
 */
import * as s from "../../tools/schema/mod.ts";
import { parseResourceUri } from "../../text/resource_uri.ts";
import { defineTool } from "../../tools/tool.ts";
import type { ResourcePlaces } from "../resource_places.ts";

export const subscribeResource = defineTool({
  name: "resources/subscribe",
  title: "Subscribe to a resource",
  description: "Where a file is whose changes a client wants to follow.",
  access: "read",
  input: s.object({ uri: s.string() }),
  output: s.object({ places: s.array(s.string()) }),
  run: async ({ uri }, places: ResourcePlaces) => {
    const { root, path } = parseResourceUri(uri);
    const meant = path === "" ? "." : path;
    const itself = await places.resolve(root, meant, { follow: false });
    const target = await places.resolve(root, meant); // a link may change, and so may what it leads to
    return { value: { places: [...new Set([itself.absolute, target.absolute])] } };
  },
});
