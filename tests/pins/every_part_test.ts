import { assert, assertEquals } from "@std/assert";
import { targetOf } from "./layer_rules.ts";
import { factsOf } from "./source_facts.ts";

const REPOSITORY = new URL("../../", import.meta.url);
const MAIN = "main.ts";
const WORKER = "src/sandbox/worker.ts";
const EVERY_PART = "src/runtime/every_part.ts";

/** Examines the fence; loaded by `paddock doctor` only. */
const NOT_FOR_SERVERS = ["src/sandbox/fence_probe.ts"];

function importsOf(path: string, dynamic: boolean): string[] {
  const { imports } = factsOf(Deno.readTextFileSync(new URL(path, REPOSITORY)));
  return imports.filter((used) =>
    used.dynamic === dynamic && !used.typesOnly && used.specifier.startsWith(".")
  )
    .map(({ specifier }) => targetOf(path, specifier)).filter((target) => target.endsWith(".ts"));
}

/** Everything that is loaded with a module. */
function loadedWith(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of importsOf(path, false)) loadedWith(imported, found);
  return found;
}

Deno.test("every_part.ts loads whatever a server may load later", () => {
  const loaded = loadedWith(WORKER);
  for (const path of loadedWith(EVERY_PART)) loaded.add(path);
  assert(loaded.size > 300, `only ${loaded.size} files were found`);
  const later = [...loaded].flatMap((path) => importsOf(path, true));
  const missing = later.filter((path) => !loaded.has(path) && !NOT_FOR_SERVERS.includes(path));
  assertEquals([...new Set(missing)], []);
});

/** What the first answer needs no file of. */
const LATER = /^src\/(?:commands|console|surfaces\/(?!listed\/)|tools|engine)\//;

Deno.test("Deno reads nothing before the first answer that is only needed later, not even for a type", () => {
  const read = new Set([...loadedWith(MAIN), ...loadedWith(WORKER)]);
  assertEquals([...read].filter((path) => LATER.test(path)), []);
  assert(read.size < 120, `${read.size} files are read`);
});

Deno.test("an import or export that names only types says so, or Deno reads the file", () => {
  const files = [MAIN, ...loadedWith(WORKER), ...loadedWith(EVERY_PART)];
  const inline = /^(?:import|export) \{(?:\s*type [^,}]+,?)+\s*\} from/m;
  assertEquals(files.filter((path) => inline.test(Deno.readTextFileSync(new URL(path, REPOSITORY)))), []);
});

/** What a call over stdio loads: the registry, a surface, and what its tools import. */
const FOR_CALLS = [
  "src/runtime/surfaces.ts",
  ...["classic", "roots", "workspaces", "flat"].map((name) => `src/surfaces/${name}/surface.ts`),
  "src/surfaces/flat/rest_face.ts",
  "src/surfaces/resources/host.ts",
];

Deno.test("a call over stdio loads neither zod nor the SDK", () => {
  const loaded = new Set(FOR_CALLS.flatMap((path) => [...loadedWith(path)]));
  assert(loaded.size > 250, `only ${loaded.size} files were found`);
  const packages = [...loaded].flatMap((path) =>
    factsOf(Deno.readTextFileSync(new URL(path, REPOSITORY))).imports
      .filter((used) =>
        !used.dynamic && !used.typesOnly && /^(?:zod|@modelcontextprotocol)/.test(used.specifier)
      )
      .map(({ specifier }) => `${path}: ${specifier}`)
  );
  assertEquals(packages, []);
});
