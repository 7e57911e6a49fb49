/**
 * Writes what follows from the code itself: the lists of tools that a server answers with, the tools in
 * docs/guides/roots.md and workspaces.md, the flags in docs/reference.md, docs/config.schema.json, the man page, and
 * the README's install links and speed table. `deno task docs` runs it; a test checks that the repository has its
 * current output.
 */
import { installLinks } from "./install_links.ts";
import { speedTable } from "./speed_table.ts";
import { z } from "zod";
import { configFileSchema } from "../src/cli/config_schema.ts";
import { flagsMarkdown } from "../src/cli/flags.ts";
import { manPage } from "../src/commands/man_page.ts";
import { CLASSIC_TOOLS } from "../src/surfaces/classic/surface.ts";
import { FLAT_TOOLS } from "../src/surfaces/flat/surface.ts";
import type { ListedTool } from "../src/surfaces/listed/mod.ts";
import { ROOTS_TOOLS } from "../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../src/surfaces/workspaces/surface.ts";
import { listingOf } from "../src/tools/listing.ts";
import * as s from "../src/tools/schema/mod.ts";
import type { Tool } from "../src/tools/tool.ts";

const REPOSITORY = new URL("../", import.meta.url);

/** Every generated file, by its path in the repository. */
export function generate(): Record<string, string> {
  return {
    "src/surfaces/listed/roots.json": listed(ROOTS_TOOLS),
    "src/surfaces/listed/classic.json": listed(CLASSIC_TOOLS, { forPrograms: true }),
    "src/surfaces/listed/flat.json": listed(FLAT_TOOLS),
    "src/surfaces/listed/workspaces.json": listed(WORKSPACES_TOOLS),
    "docs/guides/roots.md": filledIn("docs/guides/roots.md", { tools: toolsPart(ROOTS_TOOLS) }),
    "docs/guides/workspaces.md": filledIn("docs/guides/workspaces.md", {
      tools: toolsPart(WORKSPACES_TOOLS),
    }),
    "docs/reference.md": filledIn("docs/reference.md", { flags: flagsMarkdown() }),
    "docs/paddock.1": manPage(),
    "docs/config.schema.json": JSON.stringify(configSchema(), null, 2) + "\n",
    "README.md": filledIn("README.md", { links: installLinks(), speed: speedTable() }),
  };
}

/** A page with its generated part, between `<!-- part -->` and `<!-- /part -->`, replaced. */
function filledIn(path: string, parts: Record<string, string>): string {
  let page = Deno.readTextFileSync(new URL(path, REPOSITORY));
  for (const [part, text] of Object.entries(parts)) {
    const [start, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
    const [from, to] = [page.indexOf(start), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${path} has no part between ${start} and ${end}`);
    page = `${page.slice(0, from)}${start}\n\n${text.trim()}\n\n${page.slice(to)}`;
  }
  return page;
}

/** One line per tool. */
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

/** A table of the tools, and a section for each. */
function toolsPart(tools: readonly Tool<never>[]): string {
  return `| tool | changes files | does |
| --- | --- | --- |
${
    tools.map((tool) =>
      `| [\`${tool.name}\`](#${tool.name}) | ${tool.access === "write" ? "yes" : "no"} | ${
        markdown(firstSentence(tool))
      } |`
    ).join("\n")
  }

${tools.map((tool) => `### ${toolSection(tool)}`).join("\n")}`;
}

function firstSentence({ description }: Tool<never>): string {
  return description.slice(0, description.search(/[.:](\s|$)/) + 1).replace(/:$/, ".");
}

function toolSection(tool: Tool<never>): string {
  return `${tool.name}

${markdown(tool.details ?? tool.description)}

${fieldTable("argument", tool.input, "input")}
${fieldTable("result", tool.output, "output")}`;
}

/** Plain text as Markdown: an example becomes code, and outside code a star is a star (`*.ts`), not emphasis. */
function markdown(text: string): string {
  return text.replace(/Example: (\{[^`]*\})\.$/, "Example: `$1`").split("`")
    .map((piece, i) => i % 2 === 1 ? piece : piece.replaceAll("*", "\\*").replaceAll("|", "\\|"))
    .join("`");
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

function fieldTable(title: string, schema: s.Fielded, io: "input" | "output"): string {
  const { properties = {}, required = [] } = s.jsonSchema(schema, io) as JsonSchema;
  const names = Object.keys(properties);
  if (names.length === 0) return `No ${title}s.\n`;
  const rows = names.map((name) => {
    const field = properties[name] ?? {};
    const need = required.includes(name)
      ? ""
      : field.default === undefined
      ? "optional"
      : `default \`${Array.isArray(field.default) ? JSON.stringify(field.default) : field.default}\``;
    return `| \`${name}\` | ${typeName(field)} | ${need} | ${markdown(field.description ?? "")} |`;
  });
  return `| ${title} | type | ${io === "input" ? "default" : ""} | meaning |\n| --- | --- | --- | --- |\n${
    rows.join("\n")
  }\n`;
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
