/** What the roots surface refuses, beyond the cases of its specification. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { onUnix } from "../support/needs.ts";
import { RootsFixture } from "./roots_fixture.ts";

let roots: RootsFixture;
const OUTSIDE = "path resolves outside root boundary";
/** Every tool that takes a root and a path, with its other arguments. */
const TOOLS: [name: string, rest: Record<string, unknown>][] = [
  ["list_folder", {}],
  ["read_file", {}],
  ["stat_file", {}],
  ["write_file", { content: "OVERWRITTEN" }],
];

Deno.test.beforeAll(async () => {
  roots = await RootsFixture.start([
    { name: "workspace", path: "ws", tools: ["*"] },
  ], {
    prepare: (folder) => {
      folder.write("outside/secret.txt", "SECRET");
      folder.write("ws_evil/secret.txt", "SECRET");
      folder.write("ws/real.txt", "real");
      Deno.mkdirSync(`${folder.path}/ws/inner`);
      folder.write("ws/.git/config", "[core]");
      if (Deno.build.os === "windows") return;
      const link = (target: string, name: string) => Deno.symlinkSync(target, `${folder.path}/ws/${name}`);
      link("real.txt", "link.txt");
      link(`${folder.path}/outside`, "escape");
      link(`${folder.path}/outside/secret.txt`, "secret.txt");
      link("../outside/new.txt", "dangling");
      link("escape", "chain");
      link("loop", "loop");
      link(".git", "dotgit");
    },
  });
});

Deno.test.afterAll(() => roots[Symbol.asyncDispose]());

const at = (path: string, rest: Record<string, unknown> = {}) => ({ root: "workspace", path, ...rest });
const outside = () => roots.folder.names().filter((name) => /^(outside|ws_evil)\/./.test(name));

Deno.test("FR-001 a path with .. that stays inside is accepted", async () => {
  for (const path of ["inner/../real.txt", "./real.txt", "no/such/../../real.txt", "real.txt/"]) {
    assertEquals(await roots.text("read_file", at(path)), "real");
  }
});

Deno.test("no tool accepts an absolute path outside the root; / is the root", async () => {
  for (const path of ["/etc/passwd", "//", "/real.txt", `${roots.folder.path}/ws_evil/secret.txt`]) {
    for (const [tool, rest] of TOOLS) {
      const { text, isError } = await roots.server.call(tool, at(path, rest)); // which may repeat what was sent
      assertEquals([isError, text.startsWith(OUTSIDE)], [true, true], text);
    }
  }
  assertEquals((await roots.ok("stat_file", at("/"))).is_directory, true);
});

Deno.test("an absolute path in the root, and one with the root's name in front, are understood", async () => {
  const inside = `${roots.folder.path}/ws`;
  for (const path of [`${inside}/real.txt`, `${inside}/inner/../real.txt`, "workspace/real.txt"]) {
    const { text, isError } = await roots.server.call("read_file", at(path));
    assertEquals([isError, text], [false, "real"], path);
  }
  for (const path of [inside, `${inside}/`]) {
    const { text, isError } = await roots.server.call("list_folder", at(path));
    assertEquals([isError, text.includes('"real.txt"')], [false, true], path);
  }
});

Deno.test({
  ...onUnix("a link that leads nowhere or back to itself is neither read nor written through"),
  fn: async () => {
    for (const [tool, rest] of TOOLS.filter(([tool]) => tool !== "stat_file")) {
      assertMatch(await roots.refused(tool, at("dangling", rest)), RegExp(`^${OUTSIDE}: .* leads nowhere`));
      assertMatch(await roots.refused(tool, at("loop", rest)), /^too many symbolic links/);
    }
    assertEquals(outside(), ["outside/secret.txt", "ws_evil/secret.txt"]);
  },
});

Deno.test({
  ...onUnix("a link that leads outside can be examined, and reveals nothing about its target"),
  fn: async () => {
    for (const path of ["escape", "secret.txt", "chain"]) {
      const { is_symlink, is_directory, target } = await roots.ok("stat_file", at(path));
      assertEquals([is_symlink, is_directory, target], [true, false, { type: "external" }]);
    }
    const { entries } = await roots.ok("list_folder", at("."));
    const escape = entries.find(({ name }: { name: string }) => name === "escape");
    assertEquals([escape.type, escape.target_type], ["symlink", "external"]);
  },
});

Deno.test("what is inside a .git can be read but not changed, under any alias", async () => {
  assertEquals(await roots.text("read_file", at(".git/config")), "[core]");
  const paths = [
    ".git/config",
    ".git/hooks/pre-commit",
    ".GIT/config",
    "git~1/config",
    "sub/.git/config",
    ".git",
  ];
  if (Deno.build.os !== "windows") paths.push("dotgit/config");
  for (const path of paths) {
    assertMatch(
      await roots.refused("write_file", at(path, { content: "x" })),
      /is inside a \.git: it can be read/,
    );
  }
  assertEquals(roots.folder.read("ws/.git/config"), "[core]");
});

Deno.test("names of the server's own temporary files can be neither reached nor seen", async () => {
  roots.folder.write("ws/.paddock-00ff.tmp", "half written");
  for (const [tool, rest] of TOOLS) {
    assertStringIncludes(
      await roots.refused(tool, at(".paddock-00ff.tmp", rest)),
      "reserves for its own use",
    );
  }
  const { entries } = await roots.ok("list_folder", at("."));
  assert(!entries.some(({ name }: { name: string }) => name.startsWith(".paddock-")));
});
