/** The list of allowed tools: of a root, of nested roots, and of a read-only server. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as s from "../../src/tools/schema/mod.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { onUnix } from "../support/needs.ts";
import { callWith, pathArguments, type Schema } from "./plausible_call.ts";
import { RootsFixture } from "./roots_fixture.ts";

let roots: RootsFixture;

Deno.test.beforeAll(async () => {
  roots = await RootsFixture.start([
    { name: "workspace", path: "ws", tools: ["*"] },
    { name: "inner", path: "ws/inner", tools: ["list_folder"] },
    { name: "boxed", path: "ws/box/boxed", tools: ["*"] },
  ], {
    prepare: (folder) => {
      folder.write("ws/inner/private.txt", "PRIVATE");
      if (Deno.build.os === "windows") return;
      Deno.symlinkSync("inner/private.txt", `${folder.path}/ws/shortcut`);
      Deno.symlinkSync("inner", `${folder.path}/ws/way`);
    },
  });
});

Deno.test.afterAll(() => roots[Symbol.asyncDispose]());

const at = (path: string, rest: Record<string, unknown> = {}) => ({ root: "workspace", path, ...rest });

Deno.test("a path in two roots obeys the allowlist of the innermost one, however it is reached", async () => {
  const refusal = (tool: string) => `tool ${tool} not allowed on root inner; allowed there: list_folder`;
  const reached = ["inner/private.txt", "inner/../inner/private.txt"];
  if (Deno.build.os !== "windows") reached.push("shortcut", "way/private.txt");
  for (const path of reached) {
    assertStringIncludes(await roots.refused("read_file", at(path)), refusal("read_file"));
    assertStringIncludes(
      await roots.refused("write_file", at(path, { content: "x" })),
      refusal("write_file"),
    );
  }
  assertStringIncludes(await roots.refused("stat_file", at("inner")), refusal("stat_file"));
  assertStringIncludes(
    await roots.refused("write_file", at("inner/new/x.txt", { content: "x" })),
    refusal("write_file"),
  );
  assertEquals((await roots.ok("list_folder", at("inner"))).count, 1);
  assertEquals(roots.folder.read("ws/inner/private.txt"), "PRIVATE");
});

Deno.test({
  ...onUnix("stat_file of a link into an inner root that forbids it reveals only the target's type"),
  fn: async () => {
    assertEquals((await roots.ok("stat_file", at("shortcut"))).target, { type: "file" });
  },
});

Deno.test("grep and glob do not enter an inner root that forbids them", async () => {
  const search = { root: "workspace", pattern: "PRIVATE|OPEN" };
  roots.folder.write("ws/open.txt", "OPEN");
  const { matches, files_searched } = await roots.ok("grep", search);
  assertEquals(matches.map(({ file }: { file: string }) => file), ["open.txt"]);
  assertEquals(files_searched, 1);
  const found = await roots.ok("glob", { root: "workspace", pattern: "**/*.txt" });
  assertEquals(found.matches.map(({ path }: { path: string }) => path), ["open.txt"]);
  for (const path of Deno.build.os === "windows" ? ["inner"] : ["inner", "way"]) {
    for (const tool of ["grep", "glob"]) {
      assertStringIncludes(
        await roots.refused(tool, { ...search, path }),
        `tool ${tool} not allowed on root inner`,
      );
    }
  }
});

Deno.test("remove_folder and move refuse a folder that contains another root", async () => {
  const move = (source_path: string) => ({
    source_root: "workspace",
    source_path,
    dest_root: "workspace",
    dest_path: "elsewhere",
  });
  const holds = '"box" contains the directory of root boxed';
  assertStringIncludes(await roots.refused("remove_folder", at("box")), holds);
  assertStringIncludes(await roots.refused("move", move("box")), holds);
  for (const [tool, args] of [["remove_folder", at("inner")], ["move", move("inner")]] as const) {
    assertStringIncludes(await roots.refused(tool, args), `tool ${tool} not allowed on root inner`);
  }
  assertEquals(roots.folder.read("ws/inner/private.txt"), "PRIVATE");
  assertEquals(roots.folder.names().includes("ws/box/boxed/"), true);
});

Deno.test("a read-only server lists no tool that writes, and refuses each of them with the reason", async () => {
  await using reader = await RootsFixture.start([
    { name: "workspace", path: "ws", tools: ["*"] },
    { name: "some", path: "some", tools: ["read_file", "write_file"] },
  ], {
    transport: "http",
    args: ["--read-only"],
    prepare: (folder) => folder.write("ws/ok.txt", "ok\n"),
  });
  const writing = ROOTS_TOOLS.filter(({ access, rpcError, needsUndo }) =>
    access === "write" && rpcError === undefined && !needsUndo
  );
  assertEquals(writing.length, 8, "and one whose errors have another form, with tests of its own");
  const { result } = await reader.server.request("tools/list");
  assertEquals(
    result.tools.map(({ name }: { name: string }) => name),
    ROOTS_TOOLS.filter(({ access, needsUndo }) => access !== "write" && !needsUndo).map(({ name }) => name),
  );
  for (const { name, input } of writing) {
    const schema = s.jsonSchema(input, "input") as Schema;
    const [argument = ""] = pathArguments(schema);
    const args = Object.entries(callWith(schema, { argument, path: "ok.txt" }))
      .filter(([key]) => key !== "") // a tool that takes no path
      .map(([key, value]) => [key, key.endsWith("root") ? "workspace" : value]);
    assertMatch(
      await reader.refused(name, Object.fromEntries(args)),
      RegExp(`^tool ${name} not allowed on root workspace: the server is read-only \\(`),
    );
  }
  assertEquals(await reader.text("read_file", at("ok.txt")), "ok\n");
  const { roots: [all, some] } = await reader.ok("list_roots");
  assertEquals(all.allowed_tools.length, 9);
  assertEquals(some.allowed_tools, ["read_file"]);
  assertEquals(reader.folder.names(), ["paddock.yaml", "some/", "ws/", "ws/ok.txt"]);
});
