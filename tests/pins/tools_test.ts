import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLogger } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { Registry } from "../../src/tools/registry.ts";
import { type ToolListing } from "../../src/tools/tool.ts";

interface JsonSchema {
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  description?: string;
  additionalProperties?: unknown;
}

const registry = new Registry({
  tools: ROOTS_TOOLS,
  gate: () => {},
  contextFor: () => {
    throw new Error("no tool is called here");
  },
  renderError: () => ({ content: [] }),
  logFields: () => ({}),
}, {
  log: createLogger({ level: "error", format: "text", write: () => {} }),
  stats: new Stats(),
  timeoutMs: 1,
  callLogLevel: "debug",
});

/** What the roots surface offers, and whether it changes anything. */
const PATH = ["root", "path"];
const TWO_PATHS = ["source_root", "source_path", "dest_root", "dest_path"];
const LIMITS = ["max_results", "timeout_seconds", "max_depth"];
const RANGES = ["offset_lines", "limit_lines", "offset_bytes", "limit_bytes", "line_numbers"];

const ROOTS: Record<string, { readOnly: boolean; arguments: string[]; required: string[] }> = {
  copy: { readOnly: false, arguments: TWO_PATHS, required: TWO_PATHS },
  create_folder: { readOnly: false, arguments: PATH, required: PATH },
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
  list_folder: { readOnly: true, arguments: PATH, required: PATH },
  list_roots: { readOnly: true, arguments: [], required: [] },
  move: { readOnly: false, arguments: TWO_PATHS, required: TWO_PATHS },
  patch_file: { readOnly: false, arguments: [...PATH, "patch"], required: [...PATH, "patch"] },
  permissions_file: { readOnly: true, arguments: PATH, required: PATH },
  read_file: { readOnly: true, arguments: [...PATH, ...RANGES], required: PATH },
  remove_file: { readOnly: false, arguments: PATH, required: PATH },
  remove_folder: { readOnly: false, arguments: PATH, required: PATH },
  stat_file: { readOnly: true, arguments: PATH, required: PATH },
  write_file: {
    readOnly: false,
    arguments: [...PATH, "content", "mode"],
    required: [...PATH, "content"],
  },
};

Deno.test("the roots surface lists the tools that clients are promised", () => {
  assertEquals(
    Object.fromEntries(
      registry.list().map(({ name, inputSchema, annotations }) => {
        const { properties = {}, required = [] } = inputSchema as JsonSchema;
        return [name, { readOnly: annotations.readOnlyHint, arguments: Object.keys(properties), required }];
      }),
    ),
    ROOTS,
  );
});

Deno.test("list gives every tool what a model needs to use it", () => {
  for (const tool of registry.list()) {
    assertMatch(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert(tool.title !== "" && tool.title === tool.annotations.title, tool.name);
    assertMatch(tool.description, /\. Example: \{.*\}/s, tool.name);
    assert(tool.description.length <= 1024, `${tool.name}: ${tool.description.length} characters`);
    assertEquals(tool.annotations.destructiveHint, false, tool.name);
    assertEquals(tool.annotations.openWorldHint, false, tool.name);
  }
});

Deno.test("list gives closed input schemas whose every argument is described, and output schemas", () => {
  for (const tool of registry.list()) {
    const input = tool.inputSchema as JsonSchema;
    assertEquals([input.type, input.additionalProperties], ["object", false], tool.name);
    for (const [name, argument] of Object.entries(input.properties ?? {})) {
      assert((argument.description ?? "") !== "", `${tool.name}: ${name} has no description`);
    }
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
    const names = [inputSchema, outputSchema].flatMap((schema) => namesIn(schema as JsonSchema));
    assert(name === "list_roots" || names.length > 1, name);
    for (const field of names) assertMatch(field, /^[a-z]+(_[a-z]+)*$/, name);
  }
});

Deno.test("list gives examples that the tool itself would take", () => {
  for (const tool of ROOTS_TOOLS) {
    const example = exampleOf(tool.description);
    assert(tool.input.safeParse(example).success, `${tool.name}: ${JSON.stringify(example)}`);
  }
});

Deno.test("list tells nothing that only this program understands", () => {
  const listing: ToolListing[] = registry.list();
  assertEquals(JSON.parse(JSON.stringify(listing)), listing);
  assertEquals(JSON.stringify(listing).includes("$schema"), false);
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
