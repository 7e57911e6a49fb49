/** The kernel fence: what it stops on its own, when it is active, and what is reported when it is not. */
import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { needs } from "../support/needs.ts";
import { compiled, REPOSITORY, runToEnd, testedExecutable, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import type { KernelProbeAnswer } from "../support/kernel_probe_task.ts";

const SUPPORT = `${REPOSITORY}tests/support/`;

async function probe(): Promise<Record<"open" | "server" | "tools" | "search", KernelProbeAnswer>> {
  using folder = tempFolder();
  const command = testedExecutable() === undefined
    ? [Deno.execPath(), "run", "-A", `${SUPPORT}kernel_probe_main.ts`]
    : [
      await compiled(`${SUPPORT}kernel_probe_main.ts`, {
        include: `${SUPPORT}kernel_probe.ts`,
        output: `${folder.path}/probe`,
      }),
    ];
  const { stdout, stderr } = await runToEnd([Deno.realPathSync(folder.path)], { command });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

Deno.test({
  ...needs("Landlock", "basic tools")(
    "the kernel alone blocks reading, writing, starting and reaching anything outside, in every kind of Worker",
  ),
  fn: async () => {
    const { open, server, tools, search } = await probe();
    assertGreater(Object.keys(open.attempts).length, 25);
    for (const [way, outcome] of Object.entries(open.attempts)) {
      assertEquals(outcome, "ok", `${way} does not work even without a fence, so it proves nothing`);
    }
    const allowed = (answer: KernelProbeAnswer) =>
      Object.keys(answer.attempts).filter((way) => !isRefused(answer.attempts[way] ?? "")).sort();
    const reading = ["inside: list", "inside: read"];
    const inside = [...reading, "inside: rename between folders", "inside: write"];
    assertEquals(allowed(tools), inside);
    assertEquals(allowed(server), [...inside, "own: listen"]);
    assertEquals(allowed(search), reading);
    for (const { fence } of [server, tools, search]) assert("abi" in fence, JSON.stringify(fence));
  },
});

/** Refused by the kernel, in the runtime's words. */
function isRefused(outcome: string): boolean {
  return ["PermissionDenied", "Error", "TypeError"].includes(outcome);
}

Deno.test({
  ...needs("Landlock")("the start line, list_roots and /health say that the kernel fence is active"),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer([folder.path]);
    await server.initialize();
    const { fences } = JSON.parse((await server.call("list_roots", {})).text);
    assertEquals(fences.length, 2);
    assert(/^kernel \(Landlock ABI \d+\)$/.test(fences[1]), fences[1]);
    await server.logged("server_starting");
    assertStringIncludes(server.log, `fence="permissions narrowed to the directories; ${fences[1]}"`);
  },
});

Deno.test({
  ...needs("Linux", "no executable in PADDOCK_EXE")(
    "without permission to load the C library the server runs without the kernel fence and says why",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "a");
    const flags = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--no-prompt"];
    const command = [Deno.execPath(), "run", ...flags, `${REPOSITORY}main.ts`];
    await using server = new TestServer([folder.path], { command });
    await server.initialize();
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "a");
    await server.logged("server_starting");
    assertStringIncludes(server.log, "no kernel fence: the process may not load the C library (--allow-ffi)");
    const refused = await runToEnd(["--require-kernel-fence", folder.path], { command });
    assertEquals([refused.code, refused.stdout], [1, ""]);
    assertStringIncludes(refused.stderr, "--require-kernel-fence: no kernel fence: the process may not load");
  },
});

Deno.test({
  ...needs("Landlock")("--require-kernel-fence starts where the kernel fence is active"),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--require-kernel-fence", folder.path]);
    await server.initialize();
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...needs("Landlock")(
    "a replaced root is reopened, and no call is lost, however often that happens",
  ),
  fn: async () => {
    using folder = tempFolder();
    const [one, other] = [`${folder.path}/one`, `${folder.path}/other`];
    folder.write("one/a.txt", "0");
    folder.write("other/a.txt", "other");
    await using server = new TestServer([one, other]);
    await server.initialize();
    for (let round = 1; round <= 2; round++) {
      Deno.removeSync(one, { recursive: true });
      Deno.mkdirSync(one);
      Deno.writeTextFileSync(`${one}/a.txt`, `${round}`);
      const read = (root: string) => server.call("read_file", { root, path: "a.txt" });
      const write = server.call("write_file", { root: "one", path: "b.txt", content: `b${round}` });
      const [first, second, written] = await Promise.all([read("one"), read("other"), write]);
      assertEquals([first.text, second.text, written.isError], [`${round}`, "other", false]);
      assertEquals(Deno.readTextFileSync(`${one}/b.txt`), `b${round}`);
      const found = await server.call("grep", { root: "one", path: ".", pattern: `^b${round}$` });
      assertStringIncludes(found.text, "b.txt");
    }
    assertEquals(await server.end(), 0);
    const told = (event: string) => server.log.split(` ${event} `).length - 1;
    assertEquals([told("directories_reopened"), told("config_reloaded")], [2, 0]);
  },
});

Deno.test({
  ...needs("Landlock")("whatever replaces a root, the kernel fence holds"),
  fn: async () => {
    using folder = tempFolder();
    const [one, other] = [`${folder.path}/one`, `${folder.path}/other`];
    folder.write("one/a.txt", "a");
    folder.write("other/a.txt", "other");
    folder.write("outside/a.txt", "secret");
    await using server = new TestServer([one, other]);
    await server.initialize();
    const fences = async () => JSON.parse((await server.call("list_roots", {})).text).fences;
    const standing = await fences();
    const read = async (root: string) => (await server.call("read_file", { root, path: "a.txt" })).text;
    Deno.renameSync(one, `${folder.path}/away`);
    for (const target of [one, `${folder.path}/outside`]) {
      Deno.symlinkSync(target, one);
      assertEquals(await fences(), standing);
      assertEquals((await server.call("read_file", { root: "one", path: "a.txt" })).isError, true);
      assertEquals(await read("other"), "other");
      Deno.removeSync(one);
    }
    Deno.renameSync(`${folder.path}/away`, one);
    assertEquals([await read("one"), await read("other"), await fences()], ["a", "other", standing]);
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...needs("Landlock")("a root that disappeared and came back is searched as before"),
  fn: async () => {
    using folder = tempFolder();
    const [one, other] = [`${folder.path}/one`, `${folder.path}/other`];
    for (let file = 0; file < 200; file++) {
      folder.write(`one/${file}.txt`, "needle");
      folder.write(`other/${file}.txt`, "needle");
    }
    await using server = new TestServer([one, other]);
    await server.initialize();
    const found = async (root: string) =>
      JSON.parse((await server.call("grep", { root, path: ".", pattern: "needle" })).text).matches.length;
    Deno.renameSync(one, `${folder.path}/away`);
    const before = await found("other");
    Deno.renameSync(`${folder.path}/away`, one);
    assertEquals(await found("one"), before);
    assertEquals(await server.end(), 0);
  },
});

Deno.test({
  ...needs("Landlock")("a call that waits for its root to be reopened is reported to an ACP client once"),
  fn: async () => {
    using folder = tempFolder();
    folder.write("one/a.txt", "a");
    const [one, events] = [`${folder.path}/one`, `${folder.path}/events.jsonl`];
    await using server = new TestServer([`--acp-events=${events}`, one]);
    await server.initialize();
    await server.call("list_roots", {});
    Deno.renameSync(one, `${folder.path}/old`);
    folder.write("one/a.txt", "a");
    const edits = [{ old_string: "a", new_string: "b" }];
    await server.call("multi_edit_text_file", { path: `${one}/a.txt`, edits });
    const told = Deno.readTextFileSync(events).trim().split("\n").map((line) =>
      JSON.parse(line).params.update
    );
    assertEquals(told.map(({ status, fields }) => status ?? fields.status), ["pending", "completed"]);
    assertEquals(folder.read("one/a.txt"), "b");
    assertEquals(await server.end(), 0);
  },
});

const EPERM = "1";
const ENOSYS = "38";

for (
  const [errno, says] of [[EPERM, "Landlock is forbidden here"], [
    ENOSYS,
    "this kernel has no Landlock",
  ]] as const
) {
  Deno.test({
    ...needs("Landlock", "no executable in PADDOCK_EXE")(
      `where the kernel answers Landlock with error ${errno} the server runs without its fence and says why`,
    ),
    fn: async () => {
      using folder = tempFolder();
      folder.write("a.txt", "a");
      const deno = Deno.execPath();
      const command = [
        deno,
        "run",
        "-A",
        `${SUPPORT}forbid_landlock.ts`,
        errno,
        deno,
        "run",
        "-A",
        `${REPOSITORY}main.ts`,
      ];
      await using server = new TestServer([folder.path], { command });
      await server.initialize();
      const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
      assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "a");
      assertEquals((await server.call("write_file", { root, path: "b.txt", content: "b" })).isError, false);
      assertStringIncludes((await server.call("grep", { root, path: ".", pattern: "b" })).text, "b.txt");
      await server.logged("server_starting");
      assertStringIncludes(server.log, `no kernel fence: ${says}`);
      const refused = await runToEnd(["--require-kernel-fence", folder.path], { command });
      assertEquals([refused.code, refused.stdout], [1, ""]);
      assertStringIncludes(refused.stderr, `--require-kernel-fence: no kernel fence: ${says}`);
    },
  });
}
