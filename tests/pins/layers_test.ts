import { assert, assertEquals } from "@std/assert";
import { EXCEPTIONS, targetOf, violationsIn } from "./layer_rules.ts";
import { factsOf } from "./source_facts.ts";

const REPOSITORY = new URL("../../", import.meta.url);

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, REPOSITORY))) {
    if (entry.isDirectory) yield* sources(`${folder}${entry.name}/`);
    else if (/\.[cm]?[jt]sx?$/.test(entry.name)) yield folder + entry.name;
  }
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, REPOSITORY));
}

Deno.test("every file of the program obeys the table of layers and powers", () => {
  const paths = ["main.ts", ...sources("src/")];
  assert(paths.length > 30, `only ${paths.length} files were found`);
  assertEquals(paths.flatMap((path) => violationsIn(path, read(path))), []);
});

Deno.test("every exception in the table is needed by its file", () => {
  const unneeded = EXCEPTIONS.filter(({ from, to, dynamic }) =>
    !factsOf(read(from)).imports.some((used) =>
      used.dynamic === dynamic && targetOf(from, used.specifier) === to
    )
  );
  assertEquals(unneeded, []);
});

const VIOLATIONS: [path: string, source: string, violation: string][] = [
  ["src/base/a.ts", 'import "../text/b.ts";', "may not import ../text/b.ts"],
  ["src/text/a.ts", 'import { type B } from "../confine/b.ts";', "may not import ../confine/b.ts"],
  ["src/engine/a.ts", 'import type { B } from "../tools/b.ts";', "may not import ../tools/b.ts"],
  ["src/engine/search/a.ts", 'export * from "../../server/b.ts";', "may not import ../../server/b.ts"],
  ["src/engine/search/pattern/a.ts", 'import "../scan/scan.ts";', "may not import ../scan/scan.ts"],
  [
    "src/engine/search/pattern/a.ts",
    'import "../../../confine/b.ts";',
    "may not import ../../../confine/b.ts",
  ],
  ["src/engine/search/scan/a.ts", 'import { type B } from "../walk/b.ts";', "may not import ../walk/b.ts"],
  ["src/engine/history/objects/a.ts", 'import "../files/disk.ts";', "may not import ../files/disk.ts"],
  ["src/engine/history/change/a.ts", 'import "../look/log.ts";', "may not import ../look/log.ts"],
  ["src/engine/history/change/a.ts", 'import "../git_store.ts";', "may not import ../git_store.ts"],
  ["src/engine/history/attic/a.ts", 'import "../git/b.ts";', "may not import ../git/b.ts"],
  ["src/engine/read.ts", 'import "./search/scan/scan.ts";', "may not import ./search/scan/scan.ts"],
  [
    "src/surfaces/roots/a.ts",
    'import "../../engine/history/objects/tree.ts";',
    "may not import ../../engine/history/objects/tree.ts",
  ],
  ["src/engine/search/walk/a.ts", "Deno.openSync(path);", "may not use Deno.openSync"],
  ["src/surfaces/flat/a.ts", 'export { b } from "../roots/b.ts";', "may not import ../roots/b.ts"],
  ["src/surfaces/surface.ts", 'import "./roots/b.ts";', "may not import ./roots/b.ts"],
  ["src/surfaces/roots/a.ts", 'import "../../confine/b.ts";', "may not import ../../confine/b.ts"],
  ["src/server/a.ts", 'await import("../engine/b.ts");', "may not import ../engine/b.ts (lazily)"],
  ["src/transports/a.ts", 'import "../surfaces/b.ts";', "may not import ../surfaces/b.ts"],
  ["src/base/a.ts", 'import "../../main.ts";', "may not import ../../main.ts"],
  ["src/base/a.ts", 'import "../../tests/b.ts";', "may not import ../../tests/b.ts"],
  ["src/runtime/a.ts", 'import "../elsewhere/b.ts";', "may not import ../elsewhere/b.ts"],
  ["main.ts", 'import "./src/runtime/compose.ts";', "may not import ./src/runtime/compose.ts"],
  [
    "main.ts",
    'import "./src/surfaces/roots/surface.ts";',
    "may not import ./src/surfaces/roots/surface.ts",
  ],
  ["src/sandbox/plan.ts", 'import "../runtime/compose.ts";', "may not import ../runtime/compose.ts"],
  ["src/tools/a.ts", 'import "@modelcontextprotocol/server";', "may not import @modelcontextprotocol/server"],
  ["src/runtime/a.ts", 'import "npm:zod@4";', "may not import npm:zod@4"],
  ["src/runtime/a.ts", 'import "https://example.com/a.ts";', "may not import https://example.com/a.ts"],
  ["src/runtime/a.ts", 'import "node:child_process";', "may not import node:child_process"],
  ["src/engine/a.ts", 'import "node:fs";', "may not import node:fs"],
  ["src/confine/a.ts", "await import(name);", "uses an import whose specifier is not a literal"],
  ["src/confine/a.ts", "await import(`./${name}.ts`);", "uses an import whose specifier is not a literal"],
  ["src/engine/a.ts", "Deno.openSync(path);", "may not use Deno.openSync"],
  ["src/surfaces/a.ts", "await Deno.readTextFile(path);", "may not use Deno.readTextFile"],
  ["src/sandbox/plan.ts", "Deno.writeTextFileSync(path, text);", "may not use Deno.writeTextFileSync"],
  ["src/sandbox/host.ts", "Deno.removeSync(path);", "may not use Deno.removeSync"],
  ["src/confine/a.ts", "const { openSync } = Deno;", "uses Deno itself, rather than one of its members"],
  ["src/confine/a.ts", 'Deno["exit"](0);', "uses Deno itself, rather than one of its members"],
  ["src/confine/a.ts", "globalThis.Deno.exit(0);", "may not use globalThis"],
  ["src/confine/a.ts", "const run = Deno.Command;", "may not use Deno.Command"],
  ["src/confine/a.ts", 'Deno.dlopen("x", {});', "may not use Deno.dlopen"],
  ["src/runtime/a.ts", "Deno.exit(1);", "may not use Deno.exit"],
  ["src/engine/a.ts", 'Deno.permissions.querySync({ name: "read" });', "may not use Deno.permissions"],
  ["src/engine/search/a.ts", "new Worker(url);", "may not use new Worker"],
  ["src/server/a.ts", "console.error(1);", "may not use console"],
  ["src/server/a.ts", 'new Function("return 1");', "may not use Function"],
];

for (const [path, source, violation] of VIOLATIONS) {
  Deno.test(`violationsIn flags \`${source}\` in ${path}`, () => {
    assertEquals(violationsIn(path, source), [`${path} ${violation}`]);
  });
}

Deno.test("violationsIn leaves alone what the table allows, and what only looks like a violation", () => {
  const fine: [path: string, source: string][] = [
    ["src/confine/a.ts", 'import { a } from "../base/a.ts"; import "./b.ts"; Deno.openSync(a);'],
    [
      "src/surfaces/roots/a.ts",
      'import "../surface.ts"; import "./tools/mod.ts"; import "../../engine/a.ts";',
    ],
    ["src/sandbox/host.ts", 'await import("../runtime/compose.ts"); new Worker(u); Deno.readLinkSync(p);'],
    ["src/engine/a.ts", 'import { z } from "zod"; let file: Deno.FsFile; await import("node:crypto");'],
    ["src/engine/a.ts", '// Deno.openSync("x")\nconst text = "console.log(Deno.exit)"; log.console();'],
    ["src/engine/a.ts", "error instanceof Deno.errors.NotFound; f({ console: 1, process: 2 });"],
    ["src/transports/a.ts", 'import { Server } from "@modelcontextprotocol/server"; Deno.serve(f);'],
  ];
  assertEquals(fine.flatMap(([path, source]) => violationsIn(path, source)), []);
});
