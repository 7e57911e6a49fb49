/** Long work reports its progress to a client that asked for it, and stops when told to. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { withGit } from "../support/needs.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const FILES = 150;

interface Told {
  token: unknown;
  steps: number[];
  message: string;
}

/** Calls a tool with a progress token; returns the notifications that came before the answer. */
async function called(server: TestServer, name: string, args: Record<string, unknown>): Promise<Told> {
  const from = server.lines.length;
  const params = { name, arguments: args, _meta: { progressToken: name } };
  const { result, error } = await server.request("tools/call", params);
  assertEquals([error, result?.isError ?? false], [undefined, false], name);
  const told = server.lines.slice(from).map((line) => JSON.parse(line))
    .filter((message) => message.method === "notifications/progress");
  return {
    token: told[0]?.params.progressToken,
    steps: told.map((message) => message.params.progress),
    message: told.at(-1)?.params.message ?? "",
  };
}

Deno.test("copy, hash_file and remove_folder report their progress, each step further than the last", async () => {
  using folder = tempFolder();
  for (let i = 0; i < FILES; i++) folder.write(`from/${i % 10}/${i}.txt`, "x");
  const large = folder.write("large.bin", "");
  Deno.truncateSync(large, 500_000_000); // sparse: it takes no space
  await using server = new TestServer([folder.path, "--timeout=60"]);
  await server.initialize();
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const jobs: [string, Record<string, unknown>, RegExp][] = [
    [
      "copy",
      { source_root: root, source_path: "from", dest_root: root, dest_path: "to" },
      /^\d+ entries done$/,
    ],
    ["hash_file", { root, path: "large.bin", algorithm: "sha1" }, /^\d+ bytes hashed$/],
  ];
  for (const [name, args, message] of jobs) {
    const told = await called(server, name, args);
    assertEquals(told.token, name);
    assert(told.steps.length > 0, name);
    assertEquals(told.steps, told.steps.toSorted((a, b) => a - b));
    assertMatch(told.message, message);
  }
  // Removing is quick: whatever is reported must be right, and everything must be gone.
  const { steps } = await called(server, "remove_folder", { root, path: "to" });
  assert(steps.every((step) => step <= FILES + 11));
  assertEquals(folder.names().filter((name) => name.startsWith("to")), []);
});

Deno.test("a call without a progress token gets nothing but its answer", async () => {
  using folder = tempFolder();
  Deno.truncateSync(folder.write("large.bin", ""), 200_000_000);
  await using server = new TestServer([folder.path]);
  await server.initialize();
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const from = server.lines.length;
  await server.call("hash_file", { root, path: "large.bin", algorithm: "sha1" });
  assertEquals(server.lines.slice(from).filter((line) => line.includes("notifications/progress")), []);
});

Deno.test(withGit("fs_restore reports its progress, and restores everything"), async () => {
  using folder = tempFolder();
  await using server = new TestServer([
    `--workspaces-root=${folder.path}`,
    "--transport=stdio",
    "--timeout=60",
  ]);
  await server.initialize();
  const { value: { workspaceId } } = await server.call("workspace_create", { name: "w" });
  const files = Array.from({ length: 600 }, (_, i) => `w/${i % 10}/${i}.txt`);
  for (const file of files) folder.write(file, file);
  const who = ["-c", "user.name=p", "-c", "user.email=p@localhost"];
  for (const args of [["add", "-A"], ["commit", "-qm", "in"], ["rm", "-rq", "."], ["commit", "-qm", "out"]]) {
    const { success } = await new Deno.Command("git", { args: ["-C", `${folder.path}/w`, ...who, ...args] })
      .output();
    assertEquals(success, true);
  }
  const { steps, message } = await called(server, "fs_restore", { workspaceId, commit: "HEAD~1" });
  assert(steps.length > 0 && steps.every((step) => step <= files.length));
  assertMatch(message, /^\d+ entries done$/);
  for (const file of files) assertEquals(folder.read(file), file);
});
