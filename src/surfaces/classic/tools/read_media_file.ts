import * as s from "../../../tools/schema/mod.ts";
import { nameOf } from "../../../engine/fence.ts";
import type { ContentBlock } from "../../../tools/tool.ts";
import { defineAnswer } from "../define_tool.ts";
import { fileUri } from "../file_uri.ts";
import { readBytes } from "../read_text.ts";

/** By file extension, as in the official server. */
const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
};

const input = s.object({ path: s.string() });

export const readMediaFile = defineAnswer({
  name: "read_media_file",
  title: "Read Media File",
  description: "Read a file and return it as a base64-encoded content block with its MIME type. " +
    "Image and audio files are returned as image/audio content; any other file type is " +
    "returned as an embedded resource. Only works within allowed directories.",
  access: "read",
  input,
}, {
  output: s.object({
    content: s.array(s.union([
      s.object({ type: s.choice(["image", "audio"]), data: s.string(), mimeType: s.string() }),
      s.object({
        type: s.literal("resource"),
        resource: s.object({ uri: s.string(), mimeType: s.string().optional(), blob: s.string() }),
      }),
    ])),
  }),
  run: async ({ path }, context) => {
    const resolved = context.resolve(path);
    const block = blockOf(resolved, (await readBytes(resolved, context)).toBase64());
    return { value: { content: [block] }, text: "", content: [block] };
  },
});

function blockOf(path: Parameters<typeof nameOf>[0], data: string): ContentBlock {
  const [, extension = ""] = /[^.]\.([^.]*)$/.exec(nameOf(path)) ?? [];
  const mimeType = TYPES[extension.toLowerCase()] ?? "application/octet-stream";
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
  return { type: "resource", resource: { uri: fileUri(path.absolute), mimeType, blob: data } };
}
