/** The log as a person at a terminal sees it, and what it explains about the fence. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { needs } from "../support/needs.ts";
import { serverCommand, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

/** What the server writes to a terminal of its own, from its start to its end. */
async function seen(args: string[], env: Record<string, string>): Promise<string[]> {
  const command = serverCommand(args).map((part) => `'${part}'`).join(" ");
  const { stdout } = await new Deno.Command("script", {
    args: ["-qec", `${command} < /dev/null`, "/dev/null"],
    stdin: "null",
    env,
  }).output();
  return new TextDecoder().decode(stdout).split("\r\n").filter((line) => line !== "");
}

Deno.test({
  ...needs("script")(
    "the log is short lines on a terminal, coloured unless NO_COLOR is set, and JSON on request",
  ),
  fn: async () => {
    using folder = tempFolder();
    const [coloured, plain, json] = await Promise.all([
      seen([folder.path], { NO_COLOR: "" }),
      seen([folder.path], { NO_COLOR: "1" }),
      seen([folder.path, "--log-format=json"], { NO_COLOR: "" }),
    ]);
    assertMatch(
      (coloured[0] ?? "").replaceAll("\x1b", "ESC"),
      /^ESC\[2m\d\d:\d\d:\d\dESC\[0m ESC\[32mINFO ESC\[0m/,
    );
    assertMatch(plain[0] ?? "", /^\d\d:\d\d:\d\d INFO {2}server_starting {2}surface=roots/);
    assert(!plain.join("").includes("\x1b"), plain.join("\n"));
    assertEquals(JSON.parse(json[0] ?? "").event, "server_starting");
  },
});

Deno.test("the log explains at debug level where each path led, and why another was refused", async () => {
  using folder = tempFolder();
  folder.write("field/real/a.txt", "a");
  folder.write("outside/b.txt", "b");
  Deno.symlinkSync("real", `${folder.path}/field/inside`);
  Deno.symlinkSync("../outside", `${folder.path}/field/out`);
  await using server = new TestServer([`${folder.path}/field`, "--log-level=debug", "--log-format=json"]);
  await server.initialize();
  await server.call("read_file", { root: "field", path: "inside/a.txt" });
  await server.call("read_file", { root: "field", path: "out/b.txt" });
  assertEquals(await server.end(), 0);
  const lines = server.log.trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (event: string) => lines.filter((line) => line.event === event);
  assertEquals(
    of("fence_allowed").map(({ level, tool, root, attempted_path, resolved_path }) => [
      level,
      tool,
      root,
      attempted_path,
      resolved_path,
    ]),
    [["debug", "read_file", "field", "inside/a.txt", `${folder.path}/field/real/a.txt`]],
  );
  const [denied, ...more] = of("security_denied");
  assertEquals(more, []);
  assertEquals(denied.attempted_path, "out/b.txt");
  assertStringIncludes(denied.reason, "outside root boundary");
  assertEquals(denied.resolved_path, `${folder.path}/outside/b.txt`);
});
