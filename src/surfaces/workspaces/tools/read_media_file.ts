import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

export const readMediaFile = defineTool({
  name: "fs_read_media_file",
  title: "Read media file",
  description: "Read an image, sound or other binary file; images can be seen and sounds heard.",
  details:
    "Read a binary file, such as an image or a sound: its media type, by its content or else by its name, and " +
    "its bytes as base64. What is an image or a sound by its content also comes as such, to be seen or heard. " +
    'Example: {"workspaceId":"my-first-workspace","path":"images/logo.png"}.',
  access: "read",
  input: s.strictObject({ workspaceId: workspaceArgument, path: pathArgument }),
  output: s.object({
    mimeType: s.string(),
    base64: s.string(),
    size: s.int().describe("Bytes in the file."),
  }),
  run: async ({ workspaceId, path }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const { readMedia } = await import("../../media.ts");
    const { content, ...value } = await readMedia(workspace.resolve(path), context);
    if (content === undefined) return { value };
    // The bytes go only into the media content: as text they would only fill a model's context.
    const { mimeType, size } = value;
    return { value, text: JSON.stringify({ mimeType, size }), media: [content] };
  },
});
