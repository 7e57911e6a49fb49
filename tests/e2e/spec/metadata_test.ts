/** stat_file, hash_file and permissions_file, by the numbers of the specification. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ON_POSIX, suite } from "./suite.ts";

const e2e = suite();

e2e("E2E-032: stat_file describes a file", async ({ at, write, root, ok, refused }) => {
  const { mtime } = Deno.statSync(write("meta/data.json", "{}\n"));
  const { created_at, ...rest } = await ok("stat_file", at("meta/data.json"));
  assertEquals(rest, {
    name: "data.json",
    path: "meta/data.json",
    type: "file",
    size: 3,
    is_directory: false,
    is_symlink: false,
    modified_at: mtime?.toISOString(),
    encoding: "utf-8",
    line_endings: "LF",
    lines: 1,
  });
  assert(created_at === undefined || created_at === new Date(created_at).toISOString());
  assertEquals(
    await refused("stat_file", at("meta/ghost.json")),
    `file not found: meta/ghost.json (root: ${root})`,
  );
});

e2e("E2E-033: stat_file describes a folder by its own entry", async ({ at, mkdir, root, server, ok }) => {
  mkdir("subdir");
  const { size, is_directory, type } = await ok("stat_file", at("subdir"));
  assertEquals([is_directory, type], [true, "directory"]);
  assertEquals(size, Deno.statSync(`${server.folder.path}/${root}/subdir`).size);
  assertEquals((await ok("stat_file", at("."))).name, root);
});

e2e("E2E-034: stat_file describes a symlink and also its target", async (given) => {
  const { at, write, root, server, ok } = given;
  write("target.txt", "12345");
  const link = (target: string, name: string) =>
    Deno.symlinkSync(target, `${server.folder.path}/${root}/${name}`);
  link("target.txt", "link");
  link(".", "self");
  link("gone", "dangling");
  const described = await ok("stat_file", at("link"));
  assertEquals([described.is_symlink, described.is_directory, described.size], [true, false, 10]);
  const { modified_at, ...target } = described.target;
  assertEquals(target, { type: "file", size: 5, is_directory: false });
  assertEquals(modified_at, new Date(modified_at).toISOString());
  assertEquals((await ok("stat_file", at("self"))).target.is_directory, true);
  assertEquals((await ok("stat_file", at("dangling"))).target, { type: "missing" });
  const { entries } = await ok("list_folder", at("."));
  assertEquals(entries.map(({ name, target_type }: Record<string, string>) => [name, target_type]), [
    ["dangling", "missing"],
    ["link", "file"],
    ["self", "directory"],
    ["target.txt", undefined],
  ]);
}, ON_POSIX);

e2e("E2E-035: hash_file returns the sha256 of a file", async ({ at, write, ok }) => {
  write("known.txt", "test content\n");
  assertEquals(await ok("hash_file", at("known.txt", { algorithm: "sha256" })), {
    path: "known.txt",
    algorithm: "sha256",
    hash: "a1fff0ffefb9eace7230c24e50731f0a91c62f9cefdfe77121c2f607125dffae",
    size: 13,
  });
});

e2e("E2E-036: hash_file returns the md5 and the sha1 of a file", async ({ at, write, ok }) => {
  write("known.txt", "test content\n");
  write("empty.txt", "");
  const hash = async (path: string, algorithm: string) =>
    (await ok("hash_file", at(path, { algorithm }))).hash;
  assertEquals(await hash("known.txt", "md5"), "d6eb32081c822ed572b70567826d9d9d");
  assertEquals(await hash("known.txt", "sha1"), "4fe2b8dd12cd9cd6a413ea960cd8c09c25f19527");
  assertEquals(await hash("empty.txt", "md5"), "d41d8cd98f00b204e9800998ecf8427e");
});

e2e("E2E-037: hash_file refuses md4 and lists the algorithms it has", async (given) => {
  const { at, write, root, refused } = given;
  write("any.txt", "");
  assertEquals(
    await refused("hash_file", at("any.txt", { algorithm: "md4" })),
    `unsupported hash algorithm: md4; supported: md5, sha1, sha256 (root: ${root}, path: "any.txt")`,
  );
});

e2e("E2E-038: hash_file refuses a folder", async ({ at, mkdir, root, refused }) => {
  mkdir("subdir");
  for (const [path, what] of [["subdir", '"subdir"'], [".", '"."']] as const) {
    assertEquals(
      await refused("hash_file", at(path, { algorithm: "sha256" })),
      `path is a directory, not a file: ${what} (root: ${root})`,
    );
  }
});

e2e("E2E-039: permissions_file returns mode, owner and group of a file", async ({ at, write, ok }) => {
  Deno.chmodSync(write("script.sh", ""), 0o755);
  const { owner, group, ...rest } = await ok("permissions_file", at("script.sh"));
  assertEquals(rest, { path: "script.sh", mode: "0755", mode_string: "-rwxr-xr-x" });
  assertEquals(owner, nameOf("-un"));
  if (Deno.build.os === "linux") assertEquals(group, nameOf("-gn"));
}, { needs: ["basic tools"] });

e2e("E2E-040: permissions_file returns the mode of a folder", async ({ at, mkdir, root, server, ok }) => {
  mkdir("subdir");
  Deno.chmodSync(`${server.folder.path}/${root}/subdir`, 0o755);
  const { mode, mode_string } = await ok("permissions_file", at("subdir"));
  assertEquals([mode, mode_string], ["0755", "drwxr-xr-x"]);
}, ON_POSIX);

e2e("E2E-075: hash_file refuses any other algorithm, and a missing one", async ({ at, write, refused }) => {
  write("any.txt", "");
  for (const algorithm of ["sha512", "SHA256", "", 5, null, ["md5"], { toString: 1, valueOf: null }]) {
    assertMatch(
      await refused("hash_file", at("any.txt", { algorithm })),
      /^unsupported hash algorithm: .*; supported: md5, sha1, sha256/,
    );
  }
  assertMatch(await refused("hash_file", at("any.txt")), /^algorithm is required .*md5, sha1, sha256/);
});

function nameOf(option: string): string {
  const { stdout } = new Deno.Command("id", { args: [option] }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}
