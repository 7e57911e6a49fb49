import { assertEquals } from "@std/assert";
import { TranspiledParts } from "../../src/cli/transpiled_parts.ts";
import { onUnix } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const LONG_AGO = new Date("2020-01-01");

/** A clone in whose cache every file is older than now, as on systems that may have a kernel fence. */
function clone() {
  const folder = tempFolder();
  const { path } = folder;
  const gen = `cache/gen/file${path}/program`;
  const old = (name: string) => {
    folder.write(name, "");
    Deno.utimeSync(`${path}/${name}`, LONG_AGO, LONG_AGO);
  };
  for (const name of ["main.ts", "src/base/a.ts", "src/runtime/every_part.ts"]) old(`program/${name}`);
  for (const name of ["main.ts.js", "src/runtime/every_part.ts.js"]) old(`${gen}/${name}`);
  const parts = new TranspiledParts({ main: `file://${path}/program/main.ts`, cache: `${path}/cache` });
  return { folder, parts, gen, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const CHANGES: [name: string, change: (gen: string) => [path: string, isThere: boolean], isStale: boolean][] =
  [
    ["a source file is newer", () => ["program/src/base/a.ts", true], true],
    ["another version of Deno has transpiled main.ts again", (gen) => [`${gen}/main.ts.js`, true], true],
    ["every part was never loaded", (gen) => [`${gen}/src/runtime/every_part.ts.js`, false], true],
    ["a folder of sources cannot be read", () => ["program/src", false], true],
    ["nothing is transpiled, as in a bundle", (gen) => [`${gen}/main.ts.js`, false], false],
  ];

for (const [name, change, isStale] of CHANGES) {
  Deno.test(onUnix(`TranspiledParts.areStale is ${isStale} when ${name}`), async () => {
    using made = clone();
    assertEquals(await made.parts.areStale(), false);
    const [path, isThere] = change(made.gen);
    if (isThere) made.folder.write(path, "changed");
    else Deno.removeSync(`${made.folder.path}/${path}`, { recursive: true });
    assertEquals(await made.parts.areStale(), isStale);
  });
}

Deno.test(onUnix("TranspiledParts.markFresh is remembered until the next change"), async () => {
  using made = clone();
  made.folder.write("program/src/base/a.ts", "changed");
  assertEquals(await made.parts.areStale(), true);
  await made.parts.markFresh();
  assertEquals(await made.parts.areStale(), false);
});

Deno.test("TranspiledParts finds modules that come from a URL where Deno keeps them", async () => {
  using folder = tempFolder();
  const cache = `${folder.path}/cache`;
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  await using _server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    () =>
      new Response("export const a: number = 1;\n", {
        headers: { "content-type": "application/typescript" },
      }),
  );
  const main = `http://127.0.0.1:${port}/main.ts`;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "-A", main],
    env: { DENO_DIR: cache },
    stdout: "null",
    stderr: "null",
  }).output();
  assertEquals(success, true);
  const parts = new TranspiledParts({ main, cache });
  assertEquals(await parts.areStale(), true, "main.ts is found, and every_part.ts is not there");
});
