/** `paddock setup`: what it prints, and what it does to a client's file. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { onLinux, onUnix } from "../../support/needs.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { runHere } from "../run_here.ts";

Deno.test("setup prints a configuration that starts the server, and changes nothing without --write", async () => {
  using folder = tempFolder();
  folder.write("my notes/a.txt", "a");
  const { code, stdout, stderr } = await runToEnd(
    ["setup", "claude-desktop", "my notes", "--", "--read-only"],
    { cwd: folder.path, env: { XDG_CONFIG_HOME: `${folder.path}/.config` } },
  );
  assertEquals(code, 0);
  assertStringIncludes(stderr, `claude_desktop_config.json; --write adds it there`);
  assertEquals(folder.names(), ["my notes/", "my notes/a.txt"]);
  const { command, args } = JSON.parse(stdout).mcpServers.paddock;
  await using server = new TestServer(args, { command: [command], cwd: "/" });
  await server.initialize();
  assertEquals((await server.call("read_file", { root: "my-notes", path: "a.txt" })).text, "a");
  assertEquals(await server.end(), 0);
});

Deno.test({
  ...onUnix(
    "setup --write shows the difference, keeps everything else, the mode, a link and a backup, and is idempotent",
  ),
  fn: async () => {
    using folder = tempFolder();
    const env = { HOME: folder.path };
    const before = '{\n  // keys\n  "theme": "dark",\n  "context_servers": { "x": { "command": "y" } },\n}\n';
    const kept = folder.write("dotfiles/zed.json", before);
    Deno.chmodSync(kept, 0o640);
    Deno.mkdirSync(`${folder.path}/.config/zed`, { recursive: true });
    const named = `${folder.path}/.config/zed/settings.json`;
    Deno.symlinkSync(kept, named);

    const first = await runHere(["setup", "zed", "--write", "--name=notes", folder.path], env);
    assertEquals(first.code, 0, first.stderr);
    assertStringIncludes(first.stdout, '\n+    "notes": {\n');
    assertStringIncludes(first.stdout, `backup: ${kept}.bak\n`);
    assert(Deno.lstatSync(named).isSymlink);
    const after = folder.read("dotfiles/zed.json");
    assertStringIncludes(after, '// keys\n  "theme": "dark"');
    assertStringIncludes(after, '"x": { "command": "y" }');
    assertStringIncludes(after, JSON.stringify(folder.path));
    assertEquals(folder.read("dotfiles/zed.json.bak"), before);
    for (const path of [kept, `${kept}.bak`]) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o640);

    const second = await runHere(["setup", "zed", "--write", "--name=notes", folder.path], env);
    assertEquals([second.code, second.stdout.includes("nothing to change")], [0, true]);
    assertEquals(folder.read("dotfiles/zed.json"), after);
    assertEquals(folder.names().filter((name) => name.startsWith("dotfiles/")), [
      "dotfiles/",
      "dotfiles/zed.json",
      "dotfiles/zed.json.bak",
    ]);
  },
});

Deno.test("setup --write creates a missing file, with its folders", async () => {
  using folder = tempFolder();
  const { code, stderr } = await runHere(
    ["setup", "cursor", "--write", "--file=~/new/mcp.json", folder.path],
    { HOME: folder.path },
  );
  assertEquals([code, stderr], [0, ""]);
  assertEquals(folder.names(), ["new/", "new/mcp.json"]);
  assertEquals(Object.keys(JSON.parse(folder.read("new/mcp.json")).mcpServers), ["paddock"]);
});

Deno.test("setup --write changes nothing when the file is not what it should be", async () => {
  using folder = tempFolder();
  folder.write("broken.json", '{ "mcpServers": ');
  folder.write("latin1.json", new Uint8Array([0x7b, 0xe4, 0x7d]));
  folder.write("folder/x", "");
  const before = folder.names();
  const cases: [file: string, says: string][] = [
    ["broken.json", '/broken.json" is not valid JSON (line 1, column'],
    ["latin1.json", '/latin1.json" is not UTF-8 text'],
    ["folder", '/folder" is not a regular file'],
  ];
  for (const [file, says] of cases) {
    const { code, stdout, stderr } = await runHere(
      ["setup", "cursor", "--write", "--file", `${folder.path}/${file}`, folder.path],
    );
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, says);
    assertStringIncludes(stderr, "nothing was changed");
  }
  assertEquals(folder.names(), before);
  assertEquals(folder.read("broken.json"), '{ "mcpServers": ');
});

Deno.test({
  ...onLinux("setup --write says so when the file cannot be written"),
  fn: async () => {
    using folder = tempFolder();
    for (const file of ["/proc/paddock.json", "/proc/no/such/mcp.json"]) {
      const { code, stderr } = await runHere(["setup", "cursor", "--write", `--file=${file}`, folder.path]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, `error: the file "${file}" cannot be written: `);
    }
  },
});

Deno.test("setup reports every mistake in its arguments", async () => {
  const cases: [args: string[], says: string][] = [
    [[], "error: CLIENT is missing, but must be claude-desktop,"],
    [["curser", "."], "(did you mean cursor?); example: paddock setup claude-desktop ~/notes"],
    [["cursor"], "error: no directory to serve is given"],
    [["cursor", "/gone"], 'error: directory "/gone" does not exist'],
    [["cursor", ".", "--wirte"], 'error: unknown flag "--wirte" (did you mean --write?)'],
    [["cursor", ".", "--name=a b"], 'error: --name is "a b", but must be a name of letters'],
    [["cursor", ".", "--", "--prot=1"], "(did you mean --port?)"],
  ];
  for (const [args, says] of cases) {
    const { code, stdout, stderr } = await runHere(["setup", ...args]);
    assertEquals([code, stdout], [1, ""], args.join(" "));
    assertStringIncludes(stderr, says);
  }
});
