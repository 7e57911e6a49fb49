/** What the list of tools costs a model with every request: names, descriptions and input schemas, as JSON. */
import * as s from "../../src/tools/schema/mod.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { SURFACE_TOOLS, type SurfaceName } from "../../tests/support/surfaces.ts";

/** What the lists took before they were shortened, and for which tools. */
export const BEFORE: Partial<Record<SurfaceName, { bytes: number; names: readonly string[] }>> = {
  flat: { bytes: 2_348, names: ["edit_file", "list_files", "read_file"] },
  roots: {
    bytes: 16_010,
    names:
      ("copy create_folder glob grep hash_file list_folder list_roots move multi_edit_text_file patch_file " +
        "permissions_file read_file remove_file remove_folder stat_file write_file").split(" "),
  },
  workspaces: {
    bytes: 18_805,
    names:
      ("fs_create_directory fs_diff fs_directory_tree fs_edit_file fs_get_commit_history fs_get_file_info " +
        "fs_list_directory fs_list_directory_with_sizes fs_move_file fs_read_media_file fs_read_multiple_files " +
        "fs_read_text_file fs_restore fs_search_files fs_show_commit fs_write_file multi_edit_text_file " +
        "workspace_create workspace_list").split(" "),
  },
};

export interface ListSize {
  readonly surface: SurfaceName;
  readonly tools: number;
  readonly bytes: number;
  /** Before, and today for the same tools. */
  readonly before?: { readonly tools: number; readonly bytes: number; readonly now: number };
}

export function listSizes(): ListSize[] {
  return (Object.keys(SURFACE_TOOLS) as SurfaceName[]).map((surface) => {
    const tools: readonly Tool<never>[] = SURFACE_TOOLS[surface];
    const size = { surface, tools: tools.length, bytes: bytesOf(tools) };
    const before = BEFORE[surface];
    if (before === undefined) return size;
    const { bytes, names } = before;
    const now = bytesOf(tools.filter(({ name }) => names.includes(name)));
    return { ...size, before: { tools: names.length, bytes, now } };
  });
}

function bytesOf(tools: readonly Tool<never>[]): number {
  const told = tools.map(({ name, description, input }) =>
    JSON.stringify({ name, description, inputSchema: s.jsonSchema(input, "input", { isBrief: true }) })
  );
  return new TextEncoder().encode(told.join("")).length;
}

export function listSizesTable(): string {
  const number = (value: number) => value.toLocaleString("en");
  return [
    "| surface | before: tools | bytes | the same tools today | today: tools | bytes | bytes a tool |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...listSizes().map(({ surface, tools, bytes, before }) => {
      const then = before === undefined
        ? "| |"
        : `${before.tools} | ${number(before.bytes)} | ${number(before.now)} (${
          Math.round(100 * before.now / before.bytes)
        } %)`;
      return `| ${surface} | ${then} | ${tools} | ${number(bytes)} | ${Math.round(bytes / tools)} |`;
    }),
  ].join("\n");
}
