/**
 * Writes what follows from the code itself: the lists of tools that a server answers with, docs/roots.md, the tools in
 * docs/workspaces.md, docs/config.schema.json, the man page and the flags of the README. `deno task docs` runs it; a test checks that
 * its result is what the repository holds.
 */
import { installLinks } from "./install_links.ts";
import { z } from "zod";
import { configFileSchema } from "../src/cli/config_schema.ts";
import { flagsMarkdown } from "../src/cli/flags.ts";
import { manPage } from "../src/commands/man_page.ts";
import { INSTRUCTIONS } from "../src/surfaces/instructions.ts";
import { CLASSIC_TOOLS } from "../src/surfaces/classic/surface.ts";
import { FLAT_TOOLS } from "../src/surfaces/flat/surface.ts";
import { type ListedTool } from "../src/surfaces/listed/mod.ts";
import { ROOTS_TOOLS } from "../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../src/surfaces/workspaces/surface.ts";
import { listingOf } from "../src/tools/listing.ts";
import { type Tool } from "../src/tools/tool.ts";

const REPOSITORY = new URL("../", import.meta.url);

/** Every generated file, by its path in the repository. */
export function generate(): Record<string, string> {
  const readme = Deno.readTextFileSync(new URL("README.md", REPOSITORY));
  return {
    "src/surfaces/listed/roots.json": listed(ROOTS_TOOLS),
    "src/surfaces/listed/classic.json": listed(CLASSIC_TOOLS, { forPrograms: true }),
    "src/surfaces/listed/flat.json": listed(FLAT_TOOLS),
    "src/surfaces/listed/workspaces.json": listed(WORKSPACES_TOOLS),
    "docs/roots.md": rootsPage(),
    "docs/workspaces.md": workspacesPage(),
    "docs/paddock.1": manPage(),
    "docs/config.schema.json": JSON.stringify(configSchema(), null, 2) + "\n",
    "README.md": readme.replace(
      /<!-- flags -->[^]*<!-- \/flags -->/,
      () => `<!-- flags -->\n\n${flagsMarkdown().trim()}\n\n<!-- /flags -->`,
    ).replace(
      /<!-- links -->[^]*<!-- \/links -->/,
      () => `<!-- links -->\n\n${installLinks()}\n\n<!-- /links -->`,
    ),
  };
}

/** A tool a line. */
function listed(tools: readonly Tool<never>[], options: { forPrograms?: boolean } = {}): string {
  const lines = tools.map((tool): ListedTool => {
    const { access, needsUndo } = tool;
    return { access, ...(needsUndo ? { needsUndo } : {}), listing: listingOf(tool, options) };
  });
  return `[\n${lines.map((line) => JSON.stringify(line)).join(",\n")}\n]\n`;
}

function configSchema(): Record<string, unknown> {
  return { title: "paddock config file", ...z.toJSONSchema(configFileSchema, { io: "input" }) };
}

function rootsPage(): string {
  return `# The roots surface

<!-- This page is written by \`deno task docs\`; change the definitions in src/surfaces/roots instead. -->

${INSTRUCTIONS.roots}

Results are JSON objects (\`structuredContent\`, and the same as text), except that \`read_file\` gives the plain text
there; with \`--text=compact\` the text is a shorter form for models. Where a text is not plain (a part of the file,
CRLF, base64) a second text says so in one line. \`read_media_file\` has no structured content. Errors are results with \`isError\` and a text that says what was wrong and what to do, except that those of
\`multi_edit_text_file\` are JSON-RPC errors ([multi_edit.md](multi_edit.md)).

Files are MCP resources too, \`paddock://root/path\`: [resources.md](resources.md).

A line ends in LF, or in CRLF; a lone CR is a character like any other. All tools count alike, so that the line that
\`grep\` found is the one that \`read_file\` gives, that a patch changes and that a diff shows. A pattern sees the CR of a
CRLF only if it names it: \`\\r$\`.

Arguments are taken as they are meant, where nothing else could be: null for an argument that is left out, "1" for 1,
"true" for true, a list as its JSON text. A path may be absolute, if it lies in the root that is named, or begin with
the root's name, if the root holds no folder of that name.

${toolsPart(ROOTS_TOOLS, "##")}`;
}

function workspacesPage(): string {
  const page = Deno.readTextFileSync(new URL("docs/workspaces.md", REPOSITORY));
  return page.replace(
    /<!-- tools -->[^]*<!-- \/tools -->/,
    () => `<!-- tools -->\n\n${toolsPart(WORKSPACES_TOOLS, "###")}\n<!-- /tools -->`,
  );
}

/** A table of the tools, and a section for each under a heading of this level. */
function toolsPart(tools: readonly Tool<never>[], heading: string): string {
  return `| tool | changes files | does |
| --- | --- | --- |
${
    tools.map((tool) =>
      `| [\`${tool.name}\`](#${tool.name}) | ${tool.access === "write" ? "yes" : "no"} | ${
        firstSentence(tool)
      } |`
    ).join("\n")
  }

${tools.map((tool) => `${heading} ${toolSection(tool)}`).join("\n")}`;
}

function firstSentence({ description }: Tool<never>): string {
  return description.slice(0, description.search(/[.:](\s|$)/) + 1).replace(/:$/, ".");
}

function toolSection(tool: Tool<never>): string {
  return `${tool.name}

${tool.details ?? tool.description}

${fieldTable("argument", tool.input, "input")}
${fieldTable("result", tool.output, "output")}`;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function fieldTable(title: string, schema: z.ZodObject, io: "input" | "output"): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io }) as JsonSchema;
  const names = Object.keys(properties);
  if (names.length === 0) return `No ${title}s.\n`;
  const rows = names.map((name) => {
    const field = properties[name] ?? {};
    const need = required.includes(name)
      ? ""
      : field.default === undefined
      ? "optional"
      : `default \`${Array.isArray(field.default) ? JSON.stringify(field.default) : field.default}\``;
    return `| \`${name}\` | ${typeName(field)} | ${need} | ${field.description ?? ""} |`;
  });
  return `| ${title} | type | | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function typeName({ type, enum: values, const: only, items, properties }: JsonSchema): string {
  if (only !== undefined) return `\`${only}\``;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return `list of ${items === undefined ? "anything" : typeName(items)}`;
  if (type === "object" && properties !== undefined) return `object (${Object.keys(properties).join(", ")})`;
  return type ?? "anything";
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generate())) {
    Deno.writeTextFileSync(new URL(path, REPOSITORY), text);
  }
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "README.md", "docs"], cwd: REPOSITORY })
    .output();
}
