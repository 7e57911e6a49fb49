/** `resources/templates/list`: there is one, for every file. */
import * as s from "../../tools/schema/mod.ts";
import { RESOURCE_TEMPLATE } from "../../text/resource_uri.ts";
import { defineTool } from "../../tools/tool.ts";
import type { ResourcePlaces } from "../resource_places.ts";

export const listTemplates = defineTool({
  name: "resources/templates/list",
  title: "List resource templates",
  description: "The address of any file.",
  access: "meta",
  input: s.object({ cursor: s.string().optional() }),
  output: s.object({ resourceTemplates: s.array(s.looseObject({})) }),
  run: (_args, _places: ResourcePlaces) => ({
    value: {
      resourceTemplates: [{
        uriTemplate: RESOURCE_TEMPLATE,
        name: "file",
        title: "File",
        description: "A file by its root and its path there.",
      }],
    },
  }),
});
