/** What the log says: NFR-017 (every call), NFR-018 (the start) and NFR-019 (refusals). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { RootsFixture } from "./roots_fixture.ts";

let roots: RootsFixture;

Deno.test.beforeAll(async () => {
  roots = await RootsFixture.start([
    { name: "workspace", path: "ws", tools: ["*"] },
    { name: "readonly", path: "ro", tools: ["list_folder", "read_file"] },
    { name: "inner", path: "ws/inner", tools: ["list_folder"] },
  ], {
    transport: "http",
    prepare: (folder) => {
      folder.write("outside/secret.txt", "SECRET");
      folder.write("ws/.git/config", "");
      if (Deno.build.os === "windows") return;
      Deno.symlinkSync(`${folder.path}/outside`, `${folder.path}/ws/escape`);
      Deno.symlinkSync("../nowhere", `${folder.path}/ws/dangling`);
      Deno.symlinkSync("loop", `${folder.path}/ws/loop`);
    },
  });
});

Deno.test.afterAll(() => roots[Symbol.asyncDispose]());

const at = (path: string, rest: Record<string, unknown> = {}) => ({ root: "workspace", path, ...rest });

Deno.test("NFR-017 the log has every call, and never the content of a file", async () => {
  await roots.ok("write_file", at("diary.txt", { content: "TOPSECRET" }));
  const size = (await roots.text("read_file", at("diary.txt"))).length;
  await roots.refused("write_file", { root: "readonly", path: "diary.txt", content: "TOPSECRET" });
  const calls = await roots.logged({ event: "tool_call", path: "diary.txt" }, 3);
  assertEquals(calls.map(({ level, tool, root, outcome, code }) => [level, tool, root, outcome, code]), [
    ["info", "write_file", "workspace", "success", undefined],
    ["info", "read_file", "workspace", "success", undefined],
    ["info", "write_file", "readonly", "error", "NOT_ALLOWED"],
  ]);
  assertEquals(calls[1]?.response_bytes, size);
  for (const { duration_ms, response_bytes, request_id, timestamp } of calls) {
    assert(typeof duration_ms === "number" && duration_ms >= 0);
    assert(typeof response_bytes === "number" && response_bytes > 0);
    assertEquals(typeof request_id, "number");
    assertEquals(timestamp, new Date(String(timestamp)).toISOString());
  }
  await roots.ok("copy", {
    source_root: "workspace",
    source_path: "diary.txt",
    dest_root: "workspace",
    dest_path: "copy.txt",
  });
  const [copy] = await roots.logged({ event: "tool_call", tool: "copy" });
  assertEquals([copy?.source_root, copy?.source_path, copy?.dest_root, copy?.dest_path], [
    "workspace",
    "diary.txt",
    "workspace",
    "copy.txt",
  ]);
  await roots.ok("grep", { root: "workspace", pattern: "TOPSECRET" });
  await roots.logged({ event: "tool_call", tool: "grep" });
  assertEquals(roots.server.log.includes("TOPSECRET"), false);
});

Deno.test("NFR-018 the log says how the server was started, with only the names of the roots", async () => {
  const [start] = await roots.logged({ event: "server_starting" });
  assertMatch(String(start?.address), /^http:\/\/127\.0\.0\.1:\d+$/);
  assertEquals([start?.transport, start?.surface], ["http", "roots"]);
  assertEquals(start?.roots, ["workspace", "readonly", "inner"]);
  assertEquals(start?.config, `${roots.folder.path}/paddock.yaml`);
  const { config: _, ...rest } = start ?? {};
  assertEquals(JSON.stringify(rest).includes(roots.folder.path), false);
});

const POSIX = Deno.build.os !== "windows";
/** What is refused, and where it leads below the temporary folder, if anywhere. */
const REFUSED: [tool: string, root: string, path: string, resolved: string | undefined][] = [
  ["read_file", "workspace", "../outside/secret.txt", "/outside/secret.txt"],
  ["read_file", "workspace", "a/../../ws_evil", "/ws_evil"],
  ["read_file", "workspace", "a\0b", undefined],
  ["write_file", "workspace", ".git/config", "/ws/.git/config"],
  ["read_file", "workspace", ".paddock-00.tmp", "/ws/.paddock-00.tmp"],
  ["write_file", "readonly", "x.txt", undefined],
  ["write_file", "readonly", "../x.txt", undefined],
  ...(POSIX
    ? [
      ["read_file", "workspace", "escape/secret.txt", "/outside/secret.txt"],
      ["list_folder", "workspace", "escape", "/outside"],
      ["write_file", "workspace", "dangling", "/ws/dangling"],
      ["read_file", "workspace", "loop", "/ws/loop"],
    ] as [string, string, string, string][]
    : []),
];

for (const [tool, root, path, resolved] of REFUSED) {
  Deno.test(`NFR-019 the log says that ${tool} on ${root} was refused for ${JSON.stringify(path)}`, async () => {
    await roots.refused(tool, { root, path, ...(tool === "write_file" ? { content: "x" } : {}) });
    const [denied] = await roots.logged({ event: "security_denied", tool, path });
    assertEquals([denied?.level, denied?.root, denied?.attempted_path], ["warn", root, path]);
    assertEquals(denied?.resolved_path, resolved && roots.folder.path + resolved);
    assertEquals(typeof denied?.reason, "string");
  });
}

Deno.test("NFR-019 the log has refusals of absolute paths, of nested roots and of both sides of a copy", async () => {
  await roots.refused("read_file", at("/etc/../etc/passwd"));
  const [absolute] = await roots.logged({ event: "security_denied", path: "/etc/../etc/passwd" });
  if (POSIX) assertEquals(absolute?.resolved_path, "/etc/passwd");

  await roots.refused("read_file", at("inner/x"));
  const [nested] = await roots.logged({ event: "security_denied", path: "inner/x" });
  assertEquals([nested?.root, nested?.attempted_path, nested?.resolved_path], [
    "inner",
    "inner/x",
    `${roots.folder.path}/ws/inner/x`,
  ]);

  const copy = { source_root: "workspace", source_path: "from", dest_root: "readonly", dest_path: "to" };
  await roots.refused("copy", copy);
  const [sides] = await roots.logged({ event: "security_denied", tool: "copy" });
  assertEquals([sides?.root, sides?.attempted_path, sides?.source_path], ["readonly", "to", "from"]);
});
