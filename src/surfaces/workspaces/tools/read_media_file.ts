import { z } from "zod";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { mediaTypeOf } from "../../../engine/media.ts";
import { readWhole } from "../../../engine/read.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import { defineTool } from "../../../tools/tool.ts";
import { mediaKind } from "../../media_kind.ts";
import { type WorkspacesContext } from "../context.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

export const readMediaFile = defineTool({
  name: "fs_read_media_file",
  title: "Read media file",
  description: "Read an image, sound or other binary file; images and sounds can be seen and heard.",
  details:
    "Read a binary file, such as an image or a sound: its media type, told from its content or else from its name, and " +
    "its bytes as base64. What is an image or a sound by its content also comes as such, to be looked at or listened to. " +
    'Example: {"workspaceId":"my-first-workspace","path":"images/logo.png"}.',
  access: "read",
  input: z.strictObject({ workspaceId: workspaceArgument, path: pathArgument }),
  output: z.object({
    mimeType: z.string(),
    base64: z.string(),
    size: z.int().describe("Bytes in the file."),
  }),
  run: async ({ workspaceId, path }, { open, maxSize, call }: WorkspacesContext) => {
    const workspace = await open(workspaceId);
    const { bytes, size } = await readWhole(workspace.resolve(path), {
      maxBytes: maxSize,
      signal: call.signal,
      room: call.room,
      tooLarge: (size) =>
        new PaddockError(
          "TOO_LARGE",
          `file too large to be sent (${sizeAndLimit(size, maxSize)}, set by the ` +
            `server's --max-size): ${quote(path)}`,
          { data: { size, limit: maxSize } },
        ),
    });
    const { type: mimeType, isProven } = mediaTypeOf(path, bytes);
    const base64 = bytes.toBase64();
    const value = { mimeType, base64, size };
    const kind = isProven ? mediaKind(mimeType) : undefined;
    if (kind === undefined) return { value };
    // The bytes once, as what they are: as text they would only fill a model's context.
    return {
      value,
      text: JSON.stringify({ mimeType, size }),
      media: [{ type: kind, data: base64, mimeType }],
    };
  },
});
