/** The doctor: passes a sound machine, and finds planted faults. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { examine } from "../../../src/commands/doctor/examine.ts";
import type { Finding } from "../../../src/commands/doctor/finding.ts";
import { nativePath } from "../../support/engine.ts";
import type { Fault } from "../../support/faulty_start.ts";
import { onUnix } from "../../support/needs.ts";
import { REPOSITORY, runToEnd, serverCommand, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test("paddock doctor passes here, says so as JSON, and leaves nothing behind", async () => {
  using folder = tempFolder();
  folder.write("mine/a.txt", "a");
  folder.write("second/b.txt", "b");
  const before = folder.names();
  const { code, stdout, stderr } = await runToEnd(["doctor", "--json", "mine"], { cwd: folder.path });
  assertEquals([code, stderr], [0, ""], stdout);
  const { ok, directories } = JSON.parse(stdout);
  assertEquals([ok, directories.length, directories[0].directory], [
    true,
    1,
    nativePath(`${folder.path}/mine`),
  ]);
  const findings: Finding[] = directories[0].findings;
  assertEquals(findings.filter(({ status }) => status !== "ok" && status !== "warning"), []);
  const lock = findings.find(({ check }) => check === "locks between processes");
  assertEquals(lock?.detail, "a lock held by another process is respected");
  assert(findings.length >= 15, stdout);
  assertEquals(folder.names(), before);
});

function isAtLocks(path: string): boolean {
  const [working] = Deno.readDirSync(path);
  try {
    return working !== undefined && Deno.statSync(`${path}/${working.name}/field/locked.txt`).isFile;
  } catch {
    return false;
  }
}

const PLANTED: [fault: Fault, what: string, check: string, says: string][] = [
  ["fence", "without its fence", "fence", "the server can read a file outside"],
  [
    "links",
    "that follows every link",
    "paths through links",
    'source_path="out_dir/secret.txt" was not refused',
  ],
  [
    "locks",
    "whose locks do not lock",
    "the server waits for locks",
    "it wrote to a file that another process had locked",
  ],
];

for (const [fault, what, check, says] of PLANTED) {
  Deno.test({
    ...onUnix(`examine finds a server ${what}`),
    fn: async () => {
      using folder = tempFolder();
      const { stdout, stderr } = await runToEnd([fault, check, folder.path], {
        command: [Deno.execPath(), "run", "-A", `${REPOSITORY}tests/support/faulty_doctor.ts`],
      });
      assertEquals([stderr, folder.names()], ["", []]);
      const [finding, ...more]: Finding[] = JSON.parse(stdout);
      assertEquals([finding?.check, finding?.status, more], [check, "failed", []], finding?.detail);
      assertStringIncludes(finding?.detail ?? "", says);
    },
  });
}

Deno.test({
  ...onUnix("examine finds a file system whose locks do not lock, and a fence that cannot be set up"),
  fn: async () => {
    const holdLock = () => Promise.resolve({ otherProcess: true, release: () => Promise.resolve() });
    using folder = tempFolder();
    const findings = await Array.fromAsync(
      examine(folder.path, { holdLock, workerOptions: false, programFiles: [], note: () => {} }),
    );
    assertEquals(folder.names(), []);
    const failed = findings.filter(({ status }) => status === "failed").map(({ check }) => check);
    assertEquals(failed, ["locks between processes", "fence"]);
  },
});

Deno.test({
  name: "examine says so when it cannot work in the directory",
  fn: async () => {
    const findings = await Array.fromAsync(
      examine("/no/such/directory", { workerOptions: true, programFiles: [], note: () => {} }),
    );
    assertEquals(findings.map(({ check, status }) => [check, status]), [["working folder", "failed"]]);
  },
});

Deno.test({
  ...onUnix("paddock doctor removes its working folder when it is interrupted, and the exit code is 1"),
  fn: async () => {
    using folder = tempFolder();
    const [program = "", ...args] = serverCommand(["doctor"]);
    const doctor = new Deno.Command(program, { args, cwd: folder.path, stdout: "piped", stderr: "piped" })
      .spawn();
    const output = doctor.output();
    // The check that waits for a lock takes longest.
    for (let i = 0; i < 1_000 && !isAtLocks(folder.path); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    doctor.kill("SIGINT");
    const { code, stderr } = await output;
    assertEquals([code, new TextDecoder().decode(stderr)], [1, "stopped before the end\n"]);
    assertEquals(folder.names(), []);
  },
});

Deno.test("paddock doctor reports a directory that does not exist", async () => {
  const { code, stdout, stderr } = await runToEnd(["doctor", "/no/such"]);
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, 'error: directory "/no/such" does not exist');
});

Deno.test("a folder with the name of a command is served when given as a path", async () => {
  using folder = tempFolder();
  folder.write("doctor/a.txt", "a");
  await using server = new TestServer(["./doctor"], { cwd: folder.path });
  await server.initialize();
  assertEquals((await server.call("read_file", { root: "doctor", path: "a.txt" })).text, "a");
  assertEquals(await server.end(), 0);
});
