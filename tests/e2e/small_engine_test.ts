/** The program on an engine smaller than V8, as far as V8 can imitate one. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { bundle } from "../../build/bundle.ts";
import { unservedBy } from "../../build/probe.ts";
import { needs } from "../support/needs.ts";
import { SMALL_ENGINE, smallBundle } from "../support/small_bundle.ts";
import { MAIN, REPOSITORY, runToEnd, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const fromSource = needs("no executable in PADDOCK_EXE");

/** Neither a compiler nor WebAssembly, in main and in all Workers. */
const JITLESS = [Deno.execPath(), "run", "-A", "--v8-flags=--jitless", MAIN];

/** The server runs in main, because a Worker would still have what was taken away. */
const WITHOUT_GLOBALS = [Deno.execPath(), "run", "-A", `--preload=${SMALL_ENGINE}`, MAIN, "--no-sandbox"];

for (
  const [name, command] of [["JIT and WebAssembly", JITLESS], ["globals of V8", WITHOUT_GLOBALS]] as const
) {
  Deno.test(fromSource(`without ${name} roots are read, written, edited and searched`), async () => {
    using folder = tempFolder();
    folder.write("files/a.txt", "one\ntwo\nthree\n");
    for (let i = 0; i < 200; i++) {
      folder.write(`files/many/${i}.txt`, `${"filler\n".repeat(50)}needle ${i}\n`);
    }
    await using server = new TestServer([`${folder.path}/files`, "--no-undo"], { command: [...command] });
    await server.initialize();
    const root = "files";
    const found = await server.call("grep", { root, pattern: "^needle 1\\d\\d$" });
    assertEquals(found.isError, false, found.text);
    assertEquals(found.text.match(/needle 1\d\d/g)?.length, 100);
    const edit = { root, path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] };
    assertEquals((await server.call("edit_file", edit)).isError, false);
    const wrong = await server.call("edit_file", { ...edit, edits: [{ old_text: "twoo", new_text: "2" }] });
    assertEquals(wrong.isError, true);
    assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "one\n2\nthree\n");
    assertEquals(await server.end(), 0);
  });

  Deno.test(fromSource(`without ${name} --classic and --dir list folders`), async () => {
    using folder = tempFolder();
    for (const file of ["b.txt", "a.txt"]) folder.write(file, "one\n");
    await using classic = new TestServer(["--classic", folder.path, "--no-undo"], { command: [...command] });
    await classic.initialize();
    const { text } = await classic.call("list_directory_with_sizes", { path: folder.path });
    assertEquals(text.match(/[ab]\.txt/g), ["a.txt", "b.txt"]);
    assertEquals(await classic.end(), 0);
    await using flat = new TestServer([`--dir=${folder.path}`, "--transport=stdio"], {
      command: [...command],
    });
    await flat.initialize();
    assertStringIncludes((await flat.call("list_files")).text, "b.txt");
    assertEquals(await flat.end(), 0);
  });

  Deno.test(fromSource(`without ${name} workspaces make commits and list them`), async () => {
    using folder = tempFolder();
    await using server = new TestServer([`--workspaces-root=${folder.path}/w`, "--transport=stdio"], {
      command: [...command],
    });
    await server.initialize();
    const { value: { workspaceId } } = await server.call("workspace_create", { name: "one" });
    const written = await server.call("fs_write_file", { workspaceId, path: "a.txt", content: "a\n" });
    assertEquals(written.isError, false, written.text);
    const { text } = await server.call("fs_get_commit_history", { workspaceId });
    assertStringIncludes(text, "a.txt");
    assertEquals(await server.end(), 0);
  });
}

Deno.test(
  fromSource("the servers of deno task test:small lack WebAssembly in main and in all Workers"),
  async () => {
    using folder = tempFolder();
    for (let i = 0; i < 400; i++) {
      folder.write(
        `files/${i % 40}/${i}.txt`,
        `${"filler\n".repeat(5_000)}needle ${i}\n`,
      );
    }
    const main = await smallBundle(`${folder.path}/program`, { tells: true });
    await using server = new TestServer([`${folder.path}/files`, "--no-undo"], {
      command: [Deno.execPath(), "run", "-A", main],
    });
    await server.initialize();
    const found = await server.call("grep", { root: "files", pattern: "n[e]{2}dle (1|2)5$" });
    assertEquals(found.text.match(/needle (1|2)5/g)?.length, 2);
    for (const thread of ["main.js", "worker.js", "search_worker.js"]) {
      await server.logged(`WebAssembly: undefined in ${thread}\n`);
    }
    assertEquals(server.log.match(/WebAssembly: (?!undefined)/), null);
    assertEquals(await server.end(), 0);
  },
);

Deno.test(
  needs("no executable in PADDOCK_EXE", "Unix")(
    "a build without a surface refuses it at the start with a clear error, and the probe detects that",
  ),
  async () => {
    using folder = tempFolder();
    await bundle(REPOSITORY, { folder: `${folder.path}/program`, without: ["workspaces"] });
    const command = [Deno.execPath(), "run", "-A", `${folder.path}/program/main.js`];
    const args = [`--workspaces-root=${folder.path}/w`, "--transport=stdio"];
    const { code, stdout, stderr } = await runToEnd(args, { command });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "error: this build (paddock-lite) cannot serve workspaces");
    const line = command.map((word) => `'${word}'`).join(" ");
    const executable = folder.write("paddock-lite", `#!/bin/sh\nexec ${line} "$@"\n`);
    Deno.chmodSync(executable, 0o755);
    assertEquals(await unservedBy(executable), ["workspaces"]);
  },
);
