/** `resources/read`: one file by its address, as text if it is UTF-8, otherwise as base64. */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { mediaTypeOf, plainType } from "../../engine/media.ts";
import { readWhole } from "../../engine/read.ts";
import { sizeAndLimit } from "../../text/human_size.ts";
import { parseResourceUri } from "../../text/resource_uri.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { defineTool } from "../../tools/tool.ts";
import type { ResourcePlaces } from "../resource_places.ts";

const content = s.object({
  uri: s.string(),
  mimeType: s.string(),
  text: s.string().optional(),
  blob: s.string().optional(),
});

export const readResource = defineTool({
  name: "resources/read",
  title: "Read resource",
  description: "One file by its address.",
  access: "read",
  input: s.object({ uri: s.string() }),
  output: s.object({ contents: s.array(content) }),
  run: async ({ uri }, places: ResourcePlaces) => {
    const { root, path } = parseResourceUri(uri);
    const { call, maxBytes } = places;
    const { bytes } = await readWhole(await places.resolve(root, path === "" ? "." : path), {
      maxBytes,
      signal: call.signal,
      room: call.room,
      tooLarge: (size) =>
        new PaddockError(
          "TOO_LARGE",
          `file too large to read whole (${
            sizeAndLimit(size, maxBytes)
          }); read parts of it with a tool: ${path}`,
          { data: { size, limit: maxBytes } },
        ),
    });
    const text = decodeUtf8(bytes);
    const mimeType = plainType(mediaTypeOf(path, bytes).type);
    if (text !== undefined) return { value: { contents: [{ uri, mimeType, text }] }, text };
    const blob = bytes.toBase64();
    return { value: { contents: [{ uri, mimeType, blob }] }, text: blob };
  },
});
