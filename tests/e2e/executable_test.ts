/**
 * The executable as somebody finds it who has just downloaded it: with nothing else. Runs only if PADDOCK_EXE names
 * one; then the other end-to-end tests run against it as well.
 */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { HttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { REPOSITORY, runToEnd, testedExecutable, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const EXECUTABLE = testedExecutable();

/** A folder in which nobody can write, not even root. */
const UNWRITABLE = Deno.build.os === "linux" ? "/proc" : "/";

/** The program by its name, in an empty environment except for a temporary folder. */
function bare(temporary: string): string[] {
  return ["env", "-i", `TMPDIR=${temporary}`, EXECUTABLE ?? ""];
}

Deno.test({
  ...needs("an executable in PADDOCK_EXE", "Unix")(
    "the executable serves without environment, home, cache or a writable folder, and leaves nothing behind",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("files/a.txt", "a");
    folder.write("tmp/.keep", "");
    await using server = new TestServer([`${folder.path}/files`], {
      command: bare(`${folder.path}/tmp`),
      cwd: UNWRITABLE,
    });
    await server.initialize();
    assertEquals((await server.call("read_file", { root: "files", path: "a.txt" })).text, "a");
    assertEquals(
      (await server.call("write_file", { root: "files", path: "b.txt", content: "b" })).isError,
      false,
    );
    assertEquals((await server.call("grep", { root: "files", pattern: "^b$" })).isError, false);
    assertEquals(await server.end(), 0);
    assertStringIncludes(server.log, `fence="permissions narrowed to the directories`);
    assertEquals(folder.names(), ["files/", "files/a.txt", "files/b.txt", "tmp/", "tmp/.keep"]);
  },
});

Deno.test({
  ...needs("an executable in PADDOCK_EXE", "Unix")(
    "the executable reads its config file and requires its token over http",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("files/a.txt", "a");
    folder.write("token", "a-long-enough-token\n");
    const config = folder.write(
      "paddock.yaml",
      `roots:\n  - name: r\n    path: ${folder.path}/files\n    allowed_tools: ["*"]\n`,
    );
    await using server = await HttpServer.start([
      `--config=${config}`,
      `--auth-token-file=${folder.path}/token`,
    ], { cwd: UNWRITABLE });
    const post = await fetch(`${server.url}/mcp`, { method: "POST", body: "{}" });
    await post.body?.cancel();
    assertEquals(post.status, 401);
  },
});

Deno.test({
  ...needs("an executable in PADDOCK_EXE")(
    "the executable reports a missing folder, and what is allowed, and ends with 1",
  ),
  fn: async () => {
    using folder = tempFolder();
    const missing = `${folder.path}/missing`;
    const { code, stdout, stderr } = await runToEnd([missing]);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "missing");
    assertStringIncludes(stderr, "does not exist");
  },
});

Deno.test({
  ...needs("an executable in PADDOCK_EXE")("the executable reports the version of deno.json"),
  fn: async () => {
    const { version } = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.json`));
    const { code, stdout } = await runToEnd(["--version"]);
    assertEquals([code, stdout], [0, `paddock ${version}\n`]);
  },
});

const RUNTIME = Deno.env.get("DENORT_BIN");

Deno.test({
  ...needs("an executable in PADDOCK_EXE", "a runtime in DENORT_BIN")(
    "the executable is at most 2 MB larger than the runtime in it",
  ),
  fn: () => {
    const [whole = 0, runtime = 0] = [EXECUTABLE ?? "", RUNTIME ?? ""].map((path) =>
      Deno.statSync(path).size
    );
    assert(whole > runtime);
    assertLess(whole - runtime, 2_000_000);
  },
});
