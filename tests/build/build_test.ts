/** The parts of a build that can be checked without one. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { workerEntriesIn } from "../../build/bundle.ts";
import { environmentVariables, permissionFlags } from "../../build/permissions.ts";
import { notesFor } from "../../build/release_notes.ts";
import { componentsOf } from "../../build/sbom.ts";
import { executableName, TARGETS } from "../../build/targets.ts";
import { REPOSITORY } from "../support/server.ts";

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield Deno.readTextFileSync(`${folder}/${name}`);
  }
}

Deno.test("permissionFlags grants neither programs nor imports, and never prompts", () => {
  const flags = permissionFlags().map((flag) => flag.split("=")[0]);
  assertEquals(flags, [
    "--allow-read",
    "--allow-write",
    "--allow-net",
    "--allow-env",
    "--allow-ffi",
    "--allow-sys",
    "--no-prompt",
  ]);
});

/** Where the runtime keeps its cache, which an executable does not have. */
const UNDER_DENO_RUN = ["DENO_DIR", "XDG_CACHE_HOME"];

Deno.test("environmentVariables has every variable that the source reads by name", () => {
  const asked = [...sources(`${REPOSITORY}src`), Deno.readTextFileSync(`${REPOSITORY}main.ts`)]
    .flatMap((source) =>
      [...source.matchAll(/\b(?:permittedE|e)nv\("([A-Z_]+)"\)/g)].map(([, name]) => name)
    );
  assert(asked.length > 0);
  const known = [...environmentVariables(), ...UNDER_DENO_RUN];
  assertEquals(asked.filter((name) => !known.includes(name ?? "")), []);
  assert(environmentVariables().includes("PADDOCK_TOKEN"));
});

Deno.test("workerEntriesIn finds each Worker, wherever its source is", () => {
  const source = `new Worker(new URL("./worker.ts", import.meta.url), {});
    new Worker(new URL("../engine/search/search_worker.ts", import.meta.url));`;
  assertEquals(workerEntriesIn(source), [
    { named: "./worker", path: "src/sandbox/worker" },
    { named: "../engine/search/search_worker", path: "src/engine/search/search_worker" },
  ]);
});

Deno.test("workerEntriesIn finds the server's Worker in src/sandbox, and every other entry point", () => {
  const found = workerEntriesIn([...sources(`${REPOSITORY}src/sandbox`)].join("\n"));
  assert(found.some(({ path }) => path === "src/sandbox/worker"));
  for (const { path } of found) assert(Deno.statSync(`${REPOSITORY}${path}.ts`).isFile);
});

Deno.test("executableName ends in .exe only for Windows", () => {
  assertEquals(
    TARGETS.map((target) => executableName(target)).filter((name) => name === "paddock.exe").length,
    2,
  );
});

const CHANGELOG = "# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- b\n\n## 0.1.0 (unreleased)\n\n- a\n  more\n";

for (
  const [version, notes] of [["0.2.0", "- b\n"], ["0.1.0", "- a\n  more\n"], ["0.1", undefined]] as const
) {
  Deno.test(`notesFor returns ${JSON.stringify(notes)} for version ${version}`, () => {
    assertEquals(notesFor(CHANGELOG, version), notes);
  });
}

Deno.test("notesFor finds the notes of the version in deno.json", () => {
  const { version } = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.json`));
  assertStringIncludes(notesFor(Deno.readTextFileSync(`${REPOSITORY}CHANGELOG.md`), version) ?? "", "- ");
});

Deno.test("componentsOf lists each package that is reached, once", () => {
  const npm = (name: string, ...dependencies: string[]) => ({ name, version: "1.0.0", dependencies });
  const info = {
    modules: [{ npmPackage: "@a/b@1.0.0" }, {}, { npmPackage: "@a/b@1.0.0_c" }],
    npmPackages: {
      "zod@1.0.0": npm("zod", "@a/b@1.0.0"),
      "@a/b@1.0.0": npm("@a/b", "zod@1.0.0"),
      "@a/b@1.0.0_c": npm("@a/b"),
      "only-in-tests@1.0.0": npm("only-in-tests"),
    },
  };
  assertEquals(componentsOf(info).map(({ purl }) => purl), ["pkg:npm/%40a/b@1.0.0", "pkg:npm/zod@1.0.0"]);
});
