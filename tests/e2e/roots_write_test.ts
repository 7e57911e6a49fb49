/** write_file, beyond the cases of its specification. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { onUnix } from "../support/needs.ts";
import { RootsFixture } from "./roots_fixture.ts";

let roots: RootsFixture;

Deno.test.beforeAll(async () => {
  roots = await RootsFixture.start([{ name: "workspace", path: "ws", tools: ["*"] }]);
});

Deno.test.afterAll(() => roots[Symbol.asyncDispose]());

const at = (path: string, rest: Record<string, unknown> = {}) => ({ root: "workspace", path, ...rest });
const onDisk = (path: string) => roots.folder.read(`ws/${path}`);

Deno.test("write_file refuses a folder, the root and text that UTF-8 cannot represent", async () => {
  Deno.mkdirSync(`${roots.folder.path}/ws/folder`);
  for (const path of ["folder", ".", "", "/"]) {
    assertMatch(
      await roots.refused("write_file", at(path, { content: "x" })),
      /^path is a directory, not a file/,
    );
  }
  assertStringIncludes(
    await roots.refused("write_file", at("surrogate.txt", { content: "\ud800" })),
    "lone surrogate",
  );
  assert(!roots.folder.names().includes("ws/surrogate.txt"));
});

Deno.test({
  ...onUnix("write_file keeps the mode of the file it replaces, and leaves nothing beside it"),
  fn: async () => {
    const script = roots.folder.write("ws/bin/run.sh", "#!/bin/sh\n");
    Deno.chmodSync(script, 0o750);
    await roots.ok("write_file", at("bin/run.sh", { content: "exit 0\n", mode: "append" }));
    await roots.ok("write_file", at("bin/run.sh", { content: "#!/bin/sh\nexit 1\n" }));
    assertEquals((Deno.statSync(script).mode ?? 0) & 0o777, 0o750);
    assertEquals(roots.folder.names().filter((name) => name.startsWith("ws/bin/")), [
      "ws/bin/",
      "ws/bin/run.sh",
    ]);
  },
});

Deno.test("write_file uses names with spaces, Unicode, dots and percent signs as they are", async () => {
  for (const name of ["a b.txt", "é-日本語.txt", ".hidden", "..twodots", "100%25.txt", "-rf", "a\nb"]) {
    if (Deno.build.os === "windows" && /[\n]/.test(name)) continue;
    await roots.ok("write_file", at(`names/${name}`, { content: name }));
    assertEquals(onDisk(`names/${name}`), name);
    assertEquals((await roots.ok("stat_file", at(`names/${name}`))).name, name);
  }
});
