/** What the list of tools costs a model with every request: names, descriptions and input schemas as JSON. */
import { assert } from "@std/assert";
import { FLAT_TOOLS } from "../../src/surfaces/flat/surface.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../../src/surfaces/workspaces/surface.ts";
import { inputSchema } from "../../src/tools/listed_schemas.ts";
import { type Tool } from "../../src/tools/tool.ts";

const BYTES_A_TOOL = 590;

interface Surface {
  tools: readonly Tool<never>[];
  /** The tools that version 0.1.0 had, and what it told of them: no more than 60 % of that today. */
  before: { bytes: number; names: readonly string[] };
  /** What all tools of today may take; raise it only for a tool that is worth it. */
  most: number;
}

const SURFACES: Record<string, Surface> = {
  roots: {
    tools: ROOTS_TOOLS,
    before: {
      bytes: 16_052,
      names: ["copy", "create_folder", "glob", "grep", "hash_file", "list_folder", "list_roots", "move"]
        .concat("multi_edit_text_file", "patch_file", "permissions_file", "read_file", "remove_file")
        .concat("remove_folder", "stat_file", "write_file"),
    },
    most: 12_500,
  },
  workspaces: {
    tools: WORKSPACES_TOOLS,
    before: { bytes: 18_805, names: WORKSPACES_TOOLS.map(({ name }) => name) },
    most: 10_000,
  },
  flat: {
    tools: FLAT_TOOLS,
    before: { bytes: 2_348, names: FLAT_TOOLS.map(({ name }) => name) },
    most: 1_400,
  },
};

function bytesOf(tools: readonly Tool<never>[]): number {
  const told = tools.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: inputSchema(input),
  }));
  return told.reduce((sum, tool) => sum + new TextEncoder().encode(JSON.stringify(tool)).length, 0);
}

for (const [name, { tools, before, most }] of Object.entries(SURFACES)) {
  Deno.test(`the list of the ${name} surface stays short`, () => {
    const bytes = bytesOf(tools);
    assert(bytes <= most, `${bytes} bytes, where ${most} are allowed`);
    assert(bytes / tools.length <= BYTES_A_TOOL, `${bytes / tools.length} bytes a tool`);
    const same = bytesOf(tools.filter((tool) => before.names.includes(tool.name)));
    assert(same <= 0.6 * before.bytes, `${same} bytes for tools that took ${before.bytes} before`);
  });
}
