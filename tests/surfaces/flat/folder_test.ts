import { assert, assertEquals } from "@std/assert";
import { onLinux } from "../../support/needs.ts";
import { failing, flatSetup } from "./setup.ts";

Deno.test("list tries again when the system is busy", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  using busy = failing("readDirSync", "EMFILE");
  assertEquals((await flat.operation("list_files")).total_count, 1);
  assert(busy.calls >= 2);
});

Deno.test("list reports that the file system failed, and logs the system's message", async () => {
  using flat = flatSetup();
  using _broken = failing("readDirSync", "EIO");
  assertEquals(await flat.tool("list_files"), "Error: Filesystem error during directory listing: EIO");
  const [line] = flat.log.filter(({ event }) => event === "tool_error");
  assertEquals([line?.tool, line?.level], ["list_files", "error"]);
  assert(String(line?.cause).includes("EIO: the system said so"), JSON.stringify(line));
});

Deno.test("list leaves out a link that leads into a .git, and continues with the rest", async () => {
  using flat = flatSetup();
  flat.write(".git/config", "x\n");
  flat.write("z.txt", "z\n");
  Deno.symlinkSync(".git/config", `${flat.path}/a.txt`);
  assertEquals((await flat.operation("list_files")).total_count, 1);
});

Deno.test("read tries again when the system is busy, but only once", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  {
    using _busy = failing("realPathSync", "EBUSY");
    assertEquals((await flat.operation("read_file", { name: "a.txt" })).content, "a");
  }
  using _busy = failing("realPathSync", "EBUSY", "EBUSY");
  assertEquals(await flat.tool("read_file", { name: "a.txt" }), "Error: Filesystem error: EBUSY");
});

Deno.test("read gives a system failure the file system's code, and no host path", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  using _broken = failing("realPathSync", "EIO");
  assertEquals(await flat.operation("read_file", { name: "a.txt" }), {
    code: -32001,
    status: 500,
    message: "Filesystem error: EIO",
  });
});

Deno.test("edit tries again as long as nothing can have been written", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  using _busy = failing("openSync", "EMFILE"); // the lock
  const edited = await flat.operation("edit_file", { name: "a.txt", append: "b\n" });
  assertEquals(edited, { success: true, lines_modified: 1, file_created: false, new_total_lines: 2 });
  assertEquals(flat.read("a.txt"), "a\nb\n");
});

Deno.test("edit does not try again if something may have been written", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  using busy = failing("renameSync", "ESTALE");
  assertEquals(
    await flat.tool("edit_file", { name: "a.txt", append: "b\n" }),
    "Error: Failed to write file: ESTALE",
  );
  assertEquals([busy.calls, flat.read("a.txt"), flat.names()], [1, "a\n", ["a.txt"]]);
});

Deno.test("edit reports that no space is left, as a failure of the file system", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  using _full = failing("renameSync", "ENOSPC");
  assertEquals(await flat.operation("edit_file", { name: "a.txt", append: "b\n" }), {
    code: -32001,
    status: 500,
    message: 'Failed to write file: no space left on the device for "a.txt"',
  });
  assertEquals(flat.names(), ["a.txt"]);
});

Deno.test("edit reports that permission was denied, whenever that turns out", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\n");
  const denied = "Error: Permission denied accessing 'a.txt'";
  for (const name of ["openSync", "renameSync"] as const) {
    using _denied = failing(name, "EACCES", "EACCES"); // an open file is closed and replaced again
    assertEquals(await flat.tool("edit_file", { name: "a.txt", append: "b\n" }), denied);
  }
  assertEquals(flat.read("a.txt"), "a\n");
});

Deno.test("an internal error is reported as one, without its message", async () => {
  using flat = flatSetup();
  using _bug = failing("realPathSync", "ERR_SOMETHING");
  assertEquals(await flat.operation("read_file", { name: "a.txt" }), {
    code: -32603,
    status: 500,
    message: "internal error in read_file; the server's log says more",
  });
});

Deno.test("read returns lines as any kind of program splits them", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "\uFEFFone\r\ntwo\rthree\nfour");
  const read = async (args = {}) => await flat.operation("read_file", { name: "a.txt", ...args });
  assertEquals((await read()).content, "one\ntwo\nthree\nfour");
  assertEquals((await read({ start_line: 2, end_line: 3 })).content, "two\nthree");
  assertEquals((await read({ end_line: 1 })).content, "one");
});

Deno.test({
  ...onLinux("list counts names that are not valid UTF-8"),
  fn: async () => {
    using flat = flatSetup();
    flat.write("a.txt", "a\n");
    const args = ["-c", `cd '${flat.path}' && echo x > "$(printf '\\377.txt')"`];
    assert(new Deno.Command("sh", { args }).outputSync().success);
    assertEquals((await flat.operation("list_files")).total_count, 2);
  },
});

Deno.test("edit refuses an empty list of edits before it looks at the file", async () => {
  using flat = flatSetup();
  const refused = await flat.operation("edit_file", { name: "missing.txt", edits: [] });
  assertEquals([refused.code, refused.status], [-32602, 400]);
  assert(
    (await flat.tool("edit_file", { name: "missing.txt", edits: [] })).startsWith("Error: edits is empty"),
  );
  assertEquals(flat.names(), []);
});

Deno.test("read treats an end line beyond every exact number as the end of the file", async () => {
  using flat = flatSetup();
  flat.write("a.txt", "a\nb\n");
  const read = await flat.operation("read_file", { name: "a.txt", start_line: 2, end_line: 1e300 });
  assertEquals([read.content, read.total_lines], ["b", 2]);
  assertEquals(
    await flat.tool("read_file", { name: "a.txt", end_line: 2 ** 60 }),
    "File: a.txt (lines 0-1 of 2 total)\n\na\nb",
  );
});

Deno.test("edit changes nothing in the folder of a repository, and creates none; read is allowed", async () => {
  using flat = flatSetup();
  flat.write("config", "[core]\n");
  flat.write("objects/x", "x");
  flat.write("refs/x", "x");
  const edit = (name: string) => flat.tool("edit_file", { name, append: "x" });
  assertEquals(await edit("HEAD"), "Error: Permission denied accessing 'HEAD'");
  assertEquals((await edit("config")).startsWith("Error"), false);
  flat.write("HEAD", "ref: refs/heads/main\n");
  for (const name of ["HEAD", "config", "new.txt"]) {
    assertEquals(await edit(name), `Error: Permission denied accessing '${name}'`);
  }
  assertEquals((await flat.operation("read_file", { name: "HEAD" })).content, "ref: refs/heads/main");
});
