/** What is refused, by the numbers of the specification, and what the log says about it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { callWith, pathArguments, type Schema } from "../plausible_call.ts";
import { type Given, HTTP_AND_STDIO, ON_POSIX, suite } from "./suite.ts";

const e2e = suite({ roots: { readonly: ["list_folder", "read_file"] } });

const OUTSIDE = "path resolves outside root boundary";
/** Arguments that mean a final link itself. */
const ON_LINKS = [
  "stat_file path",
  "permissions_file path",
  "remove_file path",
  "remove_folder path",
  "move source_path",
  "move dest_path",
];

interface Call {
  tool: string;
  argument: string;
  /** Arguments with this path, and plausible others. */
  args: (path: string) => Record<string, unknown>;
}

/** The tools of the specification; the one whose errors have another form has separate tests. */
async function listTools({ server }: Given): Promise<{ name: string; inputSchema: Schema }[]> {
  const { tools } = (await server.server.request("tools/list")).result;
  return tools.filter(({ name }: { name: string }) => name !== "multi_edit_text_file");
}

/** Every path argument of every tool, in the test's own root. */
async function pathCalls(given: Given): Promise<Call[]> {
  const own = (args: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, name.endsWith("root") ? given.root : value]),
    );
  return (await listTools(given)).flatMap(({ name, inputSchema }) =>
    pathArguments(inputSchema).map((argument) => ({
      tool: name,
      argument,
      args: (path: string) => own(callWith(inputSchema, { argument, path })),
    }))
  );
}

/** Folders and files beside the root, which no call may read or change. */
function surround({ server: { folder }, root, write }: Given): () => void {
  write("ok.txt", "ok\n");
  const secret = folder.write(`outside-${root}/secret.txt`, "SECRET");
  folder.write(`${root}_evil/secret.txt`, "SECRET");
  const before = folder.names();
  return () => {
    assertEquals(folder.names(), before);
    assertEquals(Deno.readTextFileSync(secret), "SECRET");
  };
}

e2e("E2E-063: no tool accepts a path that climbs out of the root", async (given) => {
  const { root, refused, server } = given;
  const unchanged = surround(given);
  const calls = await pathCalls(given);
  assert(calls.length >= 16, "each of the 12 tools with one path, and of the 2 with two");
  for (
    const path of ["../../etc/passwd", "..", `../${root}_evil/secret.txt`, "no/../../x", "ok.txt/../../x"]
  ) {
    for (const { tool, args } of calls) {
      assertStringIncludes(
        await refused(tool, args(path)),
        `${OUTSIDE}: ${JSON.stringify(path)}; use a path relative to the root (`,
      );
    }
  }
  unchanged();
  const [denied] = await server.logged({
    event: "security_denied",
    tool: "read_file",
    path: "../../etc/passwd",
  });
  assertEquals([denied?.level, denied?.root, denied?.attempted_path], ["warn", root, "../../etc/passwd"]);
});

e2e("E2E-064: no tool follows a link that leads outside", async (given) => {
  const { root, refused, server } = given;
  const link = (target: string, name: string) =>
    Deno.symlinkSync(target, `${server.folder.path}/${root}/${name}`);
  link(`${server.folder.path}/outside-${root}`, "escape");
  link(`../outside-${root}/secret.txt`, "secret.txt");
  link("escape", "chain");
  const unchanged = surround(given);
  const calls = await pathCalls(given);
  for (const path of ["escape/secret.txt", "escape/new.txt", "chain/secret.txt", "escape/no/such/new.txt"]) {
    for (const { tool, args } of calls) {
      assertMatch(await refused(tool, args(path)), RegExp(`^${OUTSIDE}: "${path}" \\(`));
    }
  }
  for (const path of ["escape", "chain", "secret.txt"]) {
    for (const { tool, argument, args } of calls) {
      if (ON_LINKS.includes(`${tool} ${argument}`)) continue;
      assertMatch(await refused(tool, args(path)), RegExp(`^${OUTSIDE}: "${path}" \\(`));
    }
  }
  unchanged();
  const [denied] = await server.logged({
    event: "security_denied",
    tool: "list_folder",
    path: "escape/secret.txt",
  });
  assertEquals(denied?.attempted_path, "escape/secret.txt");
  assertEquals(denied?.resolved_path, `${server.folder.path}/outside-${root}/secret.txt`);
}, { over: HTTP_AND_STDIO, ...ON_POSIX });

e2e("E2E-065: links that stay inside are followed; a write keeps the link", async (given) => {
  const { at, write, read, root, server, ok, text } = given;
  write("real.txt", "real");
  const path = `${server.folder.path}/${root}/link.txt`;
  Deno.symlinkSync("real.txt", path);
  assertEquals(await text("read_file", at("link.txt")), "real");
  await ok("write_file", at("link.txt", { content: "changed" }));
  assertEquals([Deno.readLinkSync(path), read("real.txt")], ["real.txt", "changed"]);
}, ON_POSIX);

e2e("E2E-066: a tool that the root does not allow is refused, whatever the path", async (given) => {
  const { server, refused } = given;
  for (const path of ["x.txt", "../x.txt", "no/such/folder/x.txt"]) {
    assertEquals(
      await refused("write_file", { root: "readonly", path, content: "x" }),
      "tool write_file not allowed on root readonly; allowed there: list_folder, read_file " +
        `(root: readonly, path: ${JSON.stringify(path)})`,
    );
  }
  for (const { tool, args } of await pathCalls(given)) {
    if (["list_folder", "read_file"].includes(tool)) continue;
    const inReadonly = Object.entries(args("x")).map(([name, value]) => [
      name,
      name.endsWith("root") ? "readonly" : value,
    ]);
    assertMatch(
      await refused(tool, Object.fromEntries(inReadonly)),
      RegExp(`^tool ${tool} not allowed on root readonly; `),
    );
  }
  assertEquals(server.folder.names().filter((name) => name.startsWith("readonly/")), ["readonly/"]);
  const [denied] = await server.logged({ event: "security_denied", path: "x.txt" });
  assertEquals([denied?.level, denied?.tool, denied?.root], ["warn", "write_file", "readonly"]);
}, { over: HTTP_AND_STDIO });

e2e("E2E-069: remove_folder removes a link to outside, and nothing behind it", async (given) => {
  const { at, write, root, server, ok } = given;
  const { folder } = server;
  folder.write(`beside-${root}/kept/a.txt`, "kept");
  write("dir/a.txt", "a");
  Deno.symlinkSync(`${folder.path}/beside-${root}`, `${folder.path}/${root}/dir/escape`);
  Deno.symlinkSync(`${folder.path}/beside-${root}/kept/a.txt`, `${folder.path}/${root}/dir/file`);
  Deno.symlinkSync("nowhere", `${folder.path}/${root}/dir/dangling`);
  assertEquals((await ok("remove_folder", at("dir"))).entries_removed, 5);
  assertEquals(folder.names().filter((name) => name.startsWith(`${root}/`)), [`${root}/`]);
  assertEquals(folder.read(`beside-${root}/kept/a.txt`), "kept");
}, { over: HTTP_AND_STDIO, ...ON_POSIX });

e2e("E2E-070: a null byte in a path is refused as a security matter", async (given) => {
  given.write("ok.txt", "ok\n");
  for (const { tool, args } of await pathCalls(given)) {
    assertMatch(await given.refused(tool, args("ok.txt\0.png")), /^path contains a null byte/);
  }
  const [denied] = await given.server.logged({ event: "security_denied", path: "ok.txt\0.png" });
  assertEquals([denied?.level, denied?.attempted_path], ["warn", "ok.txt\0.png"]);
}, { over: HTTP_AND_STDIO });

e2e("E2E-071: a percent-encoded path is an ordinary name", async (given) => {
  const { at, read, root, ok, refused } = given;
  const unchanged = surround(given);
  for (const path of ["%2e%2e%2fetc%2fpasswd", `%2e%2e%2foutside-${root}%2fsecret.txt`, "..%252fx"]) {
    assertEquals(await refused("read_file", at(path)), `file not found: ${path} (root: ${root})`);
    await ok("write_file", at(path, { content: "literal" }));
    assertEquals(read(path), "literal");
    await ok("remove_file", at(path));
  }
  unchanged();
});

e2e("E2E-072: an unknown root is named, with the existing ones", async (given) => {
  for (const { name, inputSchema } of await listTools(given)) {
    if (name === "list_roots") continue;
    for (const unknown of ["nonexistent", "__proto__", "constructor", "Readonly", ""]) {
      const args = Object.entries(callWith(inputSchema, { argument: "root", path: "x" }))
        .filter(([key]) => key !== "root" || inputSchema.properties?.root !== undefined)
        .map(([key, value]) => [key, key.endsWith("root") ? unknown : value]);
      assertStringIncludes(
        await given.refused(name, Object.fromEntries(args)),
        `unknown root: ${unknown}; known roots: readonly, ws-063, `,
      );
    }
  }
});

e2e("E2E-073: missing parameters are named, all at once", async (given) => {
  const { root, refused } = given;
  assertEquals(await refused("read_file", { path: "a" }), "root is required (a string)");
  assertEquals(await refused("read_file", { root }), `path is required (a string) (root: ${root})`);
  for (const { name, inputSchema } of await listTools(given)) {
    const { required = [] } = inputSchema;
    if (required.length === 0) continue;
    const message = await refused(name, {});
    assertEquals(message.split("; ").map((part) => part.split(" is required")[0]), required, name);
  }
}, { over: HTTP_AND_STDIO });
