/**
 * The kernel fence applies to a thread. An asynchronous call that takes a path runs on another thread, which may be
 * older than the fence; so whatever runs inside it uses synchronous calls for paths.
 */
import { assert, assertEquals } from "@std/assert";
import { factsOf } from "./source_facts.ts";

const REPOSITORY = new URL("../../", import.meta.url);

/** What runs inside the fence: everything but main's own side. */
const INSIDE = ["base", "text", "confine", "engine", "tools", "surfaces", "server", "transports", "runtime"];
/** In the sandbox, the Workers' own entry points; the probe tries to leave, by any possible call. */
const ENTRIES = ["src/sandbox/worker.ts", "src/sandbox/search_worker.ts"];

const PATH_TAKING =
  /^(?:open|create|readTextFile|readFile|writeTextFile|writeFile|readDir|readLink|realPath|stat|lstat|mkdir|makeTempDir|makeTempFile|remove|rename|link|symlink|copyFile|truncate|chmod|chown|utime|watchFs)$/;

/** Node's asynchronous calls that take a path, with a callback or a promise. */
const NODE_LATER =
  /\bfs\.(?:promises|open|readFile|writeFile|readdir|readlink|realpath|stat|lstat|mkdir|mkdtemp|rm|rmdir|unlink|rename|link|symlink|copyFile|cp|truncate|chmod|chown|lchown|utimes|lutimes|access|opendir|watch|watchFile|createReadStream|createWriteStream)\s*\(/g;

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, REPOSITORY))) {
    if (entry.isDirectory) yield* sources(`${folder}${entry.name}/`);
    else if (entry.name.endsWith(".ts")) yield folder + entry.name;
  }
}

function laterCallsIn(source: string): string[] {
  const { deno, imports } = factsOf(source);
  return [
    ...[...deno].filter((member) => PATH_TAKING.test(member)).map((member) => `Deno.${member}`),
    ...imports.filter(({ specifier }) => specifier === "node:fs/promises").map(({ specifier }) => specifier),
    ...[...source.matchAll(NODE_LATER)].map(([call]) => call),
  ];
}

Deno.test("nothing that runs inside the fence uses an asynchronous call that takes a path", () => {
  const paths = [...INSIDE.flatMap((folder) => [...sources(`src/${folder}/`)]), ...ENTRIES];
  assert(paths.length > 200, `only ${paths.length} files were found`);
  const found = paths.flatMap((path) =>
    laterCallsIn(Deno.readTextFileSync(new URL(path, REPOSITORY))).map((call) => `${path}: ${call}`)
  );
  assertEquals(found, []);
});

const LATER: [source: string, calls: string[]][] = [
  ["await Deno.open(path);", ["Deno.open"]],
  ["for await (const e of Deno.readDir(path)) e;", ["Deno.readDir"]],
  ['import { open } from "node:fs/promises";', ["node:fs/promises"]],
  ["fs.readFile(path, done);", ["fs.readFile("]],
  ["Deno.openSync(path); file.read(b); fs.readSync(1, b); await file.sync();", []],
  ["path.replace(a, b); stat.open(1);", []],
];

for (const [source, calls] of LATER) {
  Deno.test(`laterCallsIn finds ${JSON.stringify(calls)} in ${source}`, () => {
    assertEquals(laterCallsIn(source), calls);
  });
}
