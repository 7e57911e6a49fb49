/**
 * Names that control terminals or deceive the eye, in every argument of every tool: no answer or log line contains
 * them.
 */
import { assert, assertEquals } from "@std/assert";
import { createLogger, type LogFormat } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { Registry, type ToolHost } from "../../src/tools/registry.ts";
import { callWith, type Schema } from "../e2e/plausible_call.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";
import { flatSetup } from "./flat/setup.ts";
import { root, rootsSurface } from "./roots/setup.ts";
import { workspacesSurface } from "./workspaces/setup.ts";

const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const HOSTILE = "a\x1b[31m\x9b2J\u202e\u2066\u200b\u2060\u2028\u2029\ufeff\u00ad\x7f\r\nb";
const HOSTILE_ARGUMENTS = [
  HOSTILE,
  `${HOSTILE}/x`,
  `${HOSTILE}.file`,
  `${HOSTILE}.file/x`,
  `${HOSTILE}.folder`,
  `.git/${HOSTILE}`,
  `../${HOSTILE}`,
  `/${HOSTILE}`,
  `${HOSTILE}\0`,
];

function populate(folder: TempFolder, at: string): void {
  folder.write(`${at}ok.txt`, "ok\n");
  folder.write(`${at}${HOSTILE}.file`, "\0 binary");
  folder.write(`${at}${HOSTILE}.folder/inner.txt`, "x\n");
}

interface Attacked {
  /** How many calls failed: the others have nothing to show. */
  refused: number;
  lines: string[];
}

/** Calls every tool with each hostile name in each string argument, and checks its output. */
async function attack<C>(
  host: ToolHost<C>,
  format: LogFormat,
  rest: Record<string, unknown> = {},
): Promise<Attacked> {
  const attacked: Attacked = { refused: 0, lines: [] };
  const log = createLogger({ level: "debug", format, write: (line) => attacked.lines.push(line) });
  const options = { log, stats: new Stats(), timeoutMs: 10_000, callLogLevel: "info" as const };
  const registry = new Registry(host, options);
  for (const { name: tool, inputSchema } of registry.list()) {
    const schema = inputSchema as Schema;
    const isText = ({ type, items }: Schema) => type === "string" || items?.type === "string";
    const texts = Object.entries(schema.properties ?? {}).filter(([, one]) => isText(one));
    for (const [argument] of texts) {
      if (argument === "content" || argument === "append") continue;
      for (const path of HOSTILE_ARGUMENTS) {
        const args = {
          ...callWith(schema, { argument, path }),
          ...rest,
          ...given(schema, { argument, path }),
        };
        const { signal } = new AbortController();
        const result = await registry.call(tool, args, { signal, requestId: path, client: undefined });
        if (result?.isError !== true) continue;
        attacked.refused++;
        const text = result.rpcError?.message ?? result.content[0]?.text ?? "";
        assert(!ODD.test(text), `${tool} ${argument}: ${JSON.stringify(text)}`);
      }
    }
    const { signal } = new AbortController();
    const unknown = await registry.call(tool, { [HOSTILE]: 1 }, { signal, requestId: 1, client: undefined });
    const text = unknown?.rpcError?.message ?? unknown?.content[0]?.text ?? "";
    assert(!ODD.test(text), `${tool}: ${JSON.stringify(text)}`);
  }
  for (const line of attacked.lines) assert(!ODD.test(line), JSON.stringify(line));
  return attacked;
}

function given(
  schema: Schema,
  { argument, path }: { argument: string; path: string },
): Record<string, unknown> {
  return { [argument]: schema.properties?.[argument]?.type === "array" ? [path] : path };
}

for (const format of ["text", "json"] as const) {
  Deno.test(`no answer of the roots surface, and no log line as ${format}, contains odd characters`, async () => {
    using folder = tempFolder();
    populate(folder, "");
    const { surface } = rootsSurface([root("field", folder.path)]);
    const { refused, lines } = await attack(surface, format);
    assert(refused > 100, String(refused));
    assert(lines.some((line) => line.includes("security_denied")));
  });

  Deno.test(`no answer of the flat surface, and no log line as ${format}, contains odd characters`, async () => {
    using flat = flatSetup();
    populate(flat, "");
    const both = [await attack(flat.surface, format), await attack(flat.operations, format)];
    for (const { refused } of both) assert(refused >= 10, String(refused));
  });

  Deno.test(`no answer of the workspaces surface, and no log line as ${format}, contains odd characters`, async () => {
    using folder = tempFolder();
    const { surface, value } = workspacesSurface(folder.path);
    const { workspaceId } = await value("workspace_create", { name: "one" });
    populate(folder, `${workspaceId}/`);
    const { refused } = await attack(surface, format, { workspaceId });
    assert(refused > 100, String(refused));
  });
}

Deno.test("results keep odd names as they are", async () => {
  using folder = tempFolder();
  populate(folder, "");
  const { call } = rootsSurface([root("field", folder.path)]);
  const { structuredContent, content } = await call("list_folder", { root: "field", path: "." });
  const names = (result: unknown) =>
    (result as { entries: { name: string }[] }).entries.map(({ name }) => name).toSorted();
  const expected = [`${HOSTILE}.file`, `${HOSTILE}.folder`, "ok.txt"].toSorted();
  assertEquals(names(structuredContent), expected);
  assertEquals(names(JSON.parse(content[0].text)), expected);
});
