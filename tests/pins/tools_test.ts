import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLogger } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../../src/surfaces/workspaces/surface.ts";
import { Registry } from "../../src/tools/registry.ts";
import type { Tool, ToolListing } from "../../src/tools/tool.ts";

interface JsonSchema {
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  description?: string;
  additionalProperties?: unknown;
}

function registryOf<C>(tools: readonly Tool<C>[]): Registry<C> {
  return new Registry<C>({
    tools,
    gate: () => {},
    contextFor: () => {
      throw new Error("no tool is called here");
    },
    renderError: () => ({ content: [{ type: "text", text: "" }] }),
    logFields: () => ({}),
  }, {
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    stats: new Stats(),
    timeoutMs: 1,
    callLogLevel: "debug",
  });
}

const registry = registryOf(ROOTS_TOOLS);
const workspaces = registryOf(WORKSPACES_TOOLS);
const listings: ToolListing[] = [...registry.list(), ...workspaces.list()];

/** What the roots surface offers, and whether it changes anything. */
const PATH = ["root", "path"];
const TWO_PATHS = ["source_root", "source_path", "dest_root", "dest_path"];
const LIMITS = ["max_results", "timeout_seconds", "max_depth", "respect_gitignore"];
const RANGES = ["offset_lines", "limit_lines", "tail_lines", "offset_bytes", "limit_bytes", "line_numbers"];

const ROOTS: Record<string, { readOnly: boolean; arguments: string[]; required: string[] }> = {
  apply_changes: {
    readOnly: false,
    arguments: ["root", "changes", "dry_run"],
    required: ["root", "changes"],
  },
  copy: { readOnly: false, arguments: TWO_PATHS, required: TWO_PATHS },
  create_folder: { readOnly: false, arguments: PATH, required: PATH },
  edit_file: {
    readOnly: false,
    arguments: [...PATH, "edits", "dry_run", "expected_hash"],
    required: [...PATH, "edits"],
  },
  glob: {
    readOnly: true,
    arguments: ["root", "pattern", "regex", "path", ...LIMITS, "type_filter"],
    required: ["root"],
  },
  grep: {
    readOnly: true,
    arguments: [
      "root",
      "pattern",
      "path",
      "glob_filter",
      "case_insensitive",
      "context_lines",
      ...LIMITS,
    ],
    required: ["root", "pattern"],
  },
  hash_file: { readOnly: true, arguments: [...PATH, "algorithm"], required: [...PATH, "algorithm"] },
  history: {
    readOnly: true,
    arguments: [...PATH, "client", "since", "limit", "before"],
    required: ["root"],
  },
  list_folder: { readOnly: true, arguments: PATH, required: ["root"] },
  list_roots: { readOnly: true, arguments: [], required: [] },
  move: { readOnly: false, arguments: TWO_PATHS, required: TWO_PATHS },
  multi_edit_text_file: {
    readOnly: false,
    arguments: [...PATH, "edits", "dry_run", "expected_hash"],
    required: ["path", "edits"],
  },
  patch_file: {
    readOnly: false,
    arguments: [...PATH, "patch", "expected_hash"],
    required: [...PATH, "patch"],
  },
  permissions_file: { readOnly: true, arguments: PATH, required: PATH },
  read_file: { readOnly: true, arguments: [...PATH, ...RANGES, "if_hash"], required: PATH },
  read_files: {
    readOnly: true,
    arguments: ["root", "paths", "max_bytes", "from"],
    required: ["root", "paths"],
  },
  read_media_file: { readOnly: true, arguments: PATH, required: PATH },
  remove_file: { readOnly: false, arguments: PATH, required: PATH },
  remove_folder: { readOnly: false, arguments: PATH, required: PATH },
  restore: {
    readOnly: false,
    arguments: [...PATH, "at", "dry_run", "plan"],
    required: [...PATH, "at"],
  },
  show_change: { readOnly: true, arguments: ["root", "id"], required: ["root", "id"] },
  stat_file: { readOnly: true, arguments: PATH, required: PATH },
  undo: {
    readOnly: false,
    arguments: ["root", "id", "count", "dry_run", "plan"],
    required: ["root"],
  },
  write_file: {
    readOnly: false,
    arguments: [...PATH, "content", "mode", "expected_hash"],
    required: [...PATH, "content"],
  },
};

/** The same for the workspaces surface. */
const WORKSPACE_PATH = ["workspaceId", "path"];
const PAGE = ["offset", "limit"];

const WORKSPACES: typeof ROOTS = {
  workspace_create: { readOnly: false, arguments: ["name"], required: ["name"] },
  workspace_list: { readOnly: true, arguments: PAGE, required: [] },
  fs_read_text_file: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, "head", "tail"]
      .concat("offsetLines", "limitLines", "offsetBytes", "limitBytes"),
    required: WORKSPACE_PATH,
  },
  fs_read_media_file: { readOnly: true, arguments: WORKSPACE_PATH, required: WORKSPACE_PATH },
  fs_read_multiple_files: {
    readOnly: true,
    arguments: ["workspaceId", "paths"],
    required: ["workspaceId", "paths"],
  },
  fs_write_file: {
    readOnly: false,
    arguments: [...WORKSPACE_PATH, "content", "expected_hash"],
    required: [...WORKSPACE_PATH, "content"],
  },
  fs_edit_file: {
    readOnly: false,
    arguments: [...WORKSPACE_PATH, "edits", "dryRun", "expected_hash"],
    required: [...WORKSPACE_PATH, "edits"],
  },
  multi_edit_text_file: {
    readOnly: false,
    arguments: [...WORKSPACE_PATH, "edits", "dry_run", "expected_hash"],
    required: ["path", "edits"],
  },
  fs_create_directory: { readOnly: false, arguments: WORKSPACE_PATH, required: WORKSPACE_PATH },
  fs_list_directory: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, ...PAGE],
    required: ["workspaceId"],
  },
  fs_list_directory_with_sizes: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, "sortBy", ...PAGE],
    required: ["workspaceId"],
  },
  fs_move_file: {
    readOnly: false,
    arguments: ["workspaceId", "source", "destination"],
    required: ["workspaceId", "source", "destination"],
  },
  fs_search_files: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, "pattern", "excludePatterns", ...PAGE],
    required: ["workspaceId", "pattern"],
  },
  fs_directory_tree: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, "excludePatterns", "limit", "sizes"],
    required: ["workspaceId"],
  },
  fs_delete_file: {
    readOnly: false,
    arguments: [...WORKSPACE_PATH, "recursive", "expected_hash"],
    required: WORKSPACE_PATH,
  },
  fs_copy_file: {
    readOnly: false,
    arguments: ["workspaceId", "source", "destination"],
    required: ["workspaceId", "source", "destination"],
  },
  fs_hash_file: { readOnly: true, arguments: [...WORKSPACE_PATH, "algorithm"], required: WORKSPACE_PATH },
  fs_patch_file: {
    readOnly: false,
    arguments: [...WORKSPACE_PATH, "patch", "expected_hash"],
    required: [...WORKSPACE_PATH, "patch"],
  },
  fs_grep: {
    readOnly: true,
    arguments: ["workspaceId", "pattern", "path", "glob_filter", "case_insensitive", "context_lines"]
      .concat("max_results", "timeout_seconds", "max_depth", "respect_gitignore"),
    required: ["workspaceId", "pattern"],
  },
  fs_get_file_info: { readOnly: true, arguments: WORKSPACE_PATH, required: WORKSPACE_PATH },
  fs_get_commit_history: {
    readOnly: true,
    arguments: [...WORKSPACE_PATH, "limit", "offset"],
    required: ["workspaceId"],
  },
  fs_show_commit: {
    readOnly: true,
    arguments: ["workspaceId", "commit"],
    required: ["workspaceId", "commit"],
  },
  fs_diff: { readOnly: true, arguments: ["workspaceId", "from", "to", "path"], required: ["workspaceId"] },
  fs_apply: {
    readOnly: false,
    arguments: ["workspaceId", "changes", "message", "dryRun"],
    required: ["workspaceId", "changes"],
  },
  fs_revert: {
    readOnly: false,
    arguments: ["workspaceId", "commit", "dryRun"],
    required: ["workspaceId", "commit"],
  },
  fs_restore: {
    readOnly: false,
    arguments: ["workspaceId", "commit", "path", "dryRun"],
    required: ["workspaceId", "commit"],
  },
};

function promised(listing: readonly ToolListing[]): typeof ROOTS {
  return Object.fromEntries(
    listing.map(({ name, inputSchema, annotations }) => {
      const { properties = {}, required = [] } = inputSchema as JsonSchema;
      return [name, { readOnly: annotations.readOnlyHint, arguments: Object.keys(properties), required }];
    }),
  );
}

Deno.test("the roots surface lists the tools that clients are promised", () => {
  assertEquals(promised(registry.list()), ROOTS);
});

Deno.test("the workspaces surface lists the tools that clients are promised", () => {
  assertEquals(promised(workspaces.list()), WORKSPACES);
});

Deno.test("list gives a model everything it needs to use each tool", () => {
  for (const tool of listings) {
    assertMatch(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert(tool.title !== "" && tool.title === tool.annotations.title, tool.name);
    assertMatch(tool.description, /^[A-Z].*\.$/s, tool.name);
    assert(tool.description.length <= 250, `${tool.name}: ${tool.description.length} characters`);
    assertEquals(tool.annotations.destructiveHint, false, tool.name);
    assertEquals(tool.annotations.openWorldHint, false, tool.name);
  }
});

Deno.test("list gives closed input schemas and output schemas", () => {
  for (const tool of listings) {
    const input = tool.inputSchema as JsonSchema;
    assertEquals([input.type, input.additionalProperties], ["object", false], tool.name);
    if (tool.name === "read_media_file") continue; // images and sounds are all it has
    const output = tool.outputSchema as JsonSchema;
    assertEquals(output.type, "object", tool.name);
    assert(Object.keys(output.properties ?? {}).length > 0, tool.name);
  }
});

Deno.test("list names every argument and every field of a result in snake_case", () => {
  const namesIn = ({ properties = {}, items }: JsonSchema): string[] => [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...namesIn(field)]),
    ...(items === undefined ? [] : namesIn(items)),
  ];
  for (const { name, inputSchema, outputSchema } of registry.list()) {
    const names = [inputSchema, outputSchema ?? {}].flatMap((schema) => namesIn(schema as JsonSchema));
    assert(name === "list_roots" || names.length > 1, name);
    for (const field of names) assertMatch(field, /^[a-z]+(_[a-z]+)*$/, name);
  }
});

Deno.test("the docs give examples that the tool itself accepts", () => {
  for (const { name, details = "", input } of [...ROOTS_TOOLS, ...WORKSPACES_TOOLS]) {
    assertMatch(details, /\. Example: \{.*\}/s, name);
    const example = exampleOf(details);
    assert(input.check(example).issues === undefined, `${name}: ${JSON.stringify(example)}`);
  }
});

Deno.test("list contains nothing that only this program understands", () => {
  assertEquals(JSON.parse(JSON.stringify(listings)), listings);
  assertEquals(JSON.stringify(listings).includes("$schema"), false);
});

function exampleOf(description: string): unknown {
  const text = description.slice(description.indexOf("Example: ") + "Example: ".length);
  for (let end = text.indexOf("}"); end >= 0; end = text.indexOf("}", end + 1)) {
    try {
      return JSON.parse(text.slice(0, end + 1));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
