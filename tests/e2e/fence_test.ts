/** The outer fence: what code inside the server's Worker can reach, and which fence is active when. */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { needs } from "../support/needs.ts";
import { compiled, REPOSITORY, runToEnd, testedExecutable, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import type { Attempts } from "../support/fence_probe_task.ts";

const PROBE = `${REPOSITORY}tests/support/fence_probe_main.ts`;

/**
 * What the probe could do: without a fence, behind that of a server over stdio or http, and behind that of a search
 * worker.
 */
async function probe(): Promise<Record<"open" | "stdio" | "http" | "search", Attempts>> {
  using folder = tempFolder();
  folder.write("inside/a.txt", "a");
  folder.write("inside/c.txt", "c");
  folder.write("outside/secret.txt", "secret");
  folder.write("outside/module.js", "export default 1;");
  folder.write("outside/worker.js", "globalThis.postMessage(1);");
  const command = testedExecutable() === undefined ? [Deno.execPath(), "run", "-A", PROBE] : [
    await compiled(PROBE, {
      include: `${REPOSITORY}tests/support/fence_probe.ts`,
      output: `${folder.path}/probe`,
    }),
  ];
  const { stdout, stderr } = await runToEnd([`${folder.path}/inside`, `${folder.path}/outside`], { command });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The error for a module that may not be loaded. An executable does not check: docs/notes/security.md says so. */
const LOADING: Record<string, string> = testedExecutable() === undefined
  ? { "import: outside file": "TypeError" }
  : { "import: outside file": "ok", "worker: outside file": "ok" };

Deno.test({
  ...needs("Linux", "basic tools")(
    "the outer fence blocks reading, writing, starting, naming and reaching anything but the directory",
  ),
  fn: async () => {
    const { open, stdio, http, search } = await probe();
    assertGreater(Object.keys(open).length, 30);
    for (const [way, outcome] of Object.entries(open)) {
      assertEquals(outcome, "ok", `${way} does not work even without a fence, so it proves nothing`);
    }
    for (const [way, outcome] of Object.entries(stdio)) {
      const expected = way.startsWith("inside: ") ? "ok" : LOADING[way] ?? "NotCapable";
      assertEquals(outcome, expected, way);
    }
    assertEquals(http, { ...stdio, "own: listen": "ok" });
    assertEquals(search, { ...stdio, "inside: write": "NotCapable" });
  },
});

/** The name of a root that was given as a plain directory. */
function rootOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

async function assertServes(server: TestServer, path: string): Promise<void> {
  await server.initialize();
  const root = rootOf(path);
  assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "a");
  assertEquals((await server.call("write_file", { root, path: "b.txt", content: "b" })).isError, false);
  assertEquals(Deno.readTextFileSync(`${path}/b.txt`), "b");
  assertEquals(await server.end(), 0);
}

const NARROWED = `fence="permissions narrowed to the directories; `;
const OWN = `fence="the process's own permissions; no kernel fence: `;

const FENCES: [flags: (dir: string) => string[], fence: string][] = [
  [() => ["-A"], NARROWED],
  [() => ["--allow-read=/", "--allow-write=/", "--no-prompt"], NARROWED],
  [(dir) => [`--allow-read=${dir}`, `--allow-write=${dir}`, "--no-prompt"], OWN],
];

for (const [flags, fence] of FENCES) {
  Deno.test(`the start line says ${fence} when Deno was started with ${flags("DIR").join(" ")}`, async () => {
    using folder = tempFolder();
    folder.write("a.txt", "a");
    await using server = new TestServer([folder.path], {
      command: [Deno.execPath(), "run", ...flags(folder.path), `${REPOSITORY}main.ts`],
    });
    await server.logged("server_starting");
    assertStringIncludes(server.log, fence);
    await assertServes(server, folder.path);
  });
}

/** A copy of the program whose deno.json lacks the setting that lets Workers have permissions of their own. */
function copyWithoutWorkerOptions(folder: string): string {
  const settings = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.json`));
  delete settings.unstable;
  delete settings.imports["#worker-options"];
  Deno.mkdirSync(folder);
  Deno.writeTextFileSync(`${folder}/deno.json`, JSON.stringify(settings));
  for (const file of ["main.ts", "deno.lock"]) Deno.copyFileSync(`${REPOSITORY}${file}`, `${folder}/${file}`);
  copyFolder(`${REPOSITORY}src`, `${folder}/src`);
  return `${folder}/main.ts`;
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyFolder(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

Deno.test("the server refuses to start without a fence, unless it gets Deno's flag or --no-sandbox", async () => {
  using folder = tempFolder();
  folder.write("files/a.txt", "a");
  const files = `${folder.path}/files`;
  const command = [Deno.execPath(), "run", "-A", copyWithoutWorkerOptions(`${folder.path}/program`)];
  const refused = await runToEnd([files], { command });
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertStringIncludes(refused.stderr, "the fence cannot be set up");
  assertStringIncludes(refused.stderr, "--no-sandbox");

  if (Deno.build.os === "linux") {
    const [deno = "", run = "", ...rest] = command;
    await using fenced = new TestServer([files], {
      command: [deno, run, "--unstable-worker-options", ...rest],
    });
    await fenced.logged("server_starting");
    assertStringIncludes(fenced.log, NARROWED);
    await assertServes(fenced, files);
  }

  await using server = new TestServer(["--no-sandbox", files], { command });
  await server.logged("server_starting");
  assertStringIncludes(server.log, `fence="none (--no-sandbox)"`);
  await assertServes(server, files);
});
