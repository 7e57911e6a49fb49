import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";

export const readMediaFile = defineTool({
  name: "read_media_file",
  title: "Read media file",
  description: "See an image (PNG, JPEG, GIF, WebP) or hear a sound.",
  details:
    "Read an image (PNG, JPEG, GIF, WebP) or a sound, to see or hear it. The type of a file is determined by its " +
    "content, not by its name. There is no structured content: clients that prefer that to images " +
    'would show nothing. Other files: read_file. Example: {"root":"src","path":"images/logo.png"}.',
  access: "read",
  contentOnly: true,
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({}),
  run: ({ root, path }, context: RootsContext) =>
    withNearbyNames(context, { root, path }, async () => {
      const { readMedia } = await import("../../media.ts");
      const { mimeType, size, content } = await readMedia(context.resolve(root, path), context);
      if (content === undefined) {
        throw new PaddockError(
          "UNSUPPORTED",
          `${
            quote(path)
          } is ${mimeType} of ${size} bytes, which can be neither seen nor heard; use read_file`,
        );
      }
      return { value: {}, text: `${mimeType}, ${size} bytes`, media: [content] };
    }),
});
