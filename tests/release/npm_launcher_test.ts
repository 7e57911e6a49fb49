/** What the npm package's launcher does with the program it starts, which is a script here. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { LAUNCHER, mainPackage, platformPackage } from "../../build/npm/packages.ts";
import { isTarget, TARGETS } from "../../build/targets.ts";
import { VERSION } from "../../src/base/version.ts";
import { needs } from "../support/needs.ts";
import { REPOSITORY } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

const withNode = needs("node", "Unix", "basic tools");

function ownPackage() {
  const { target } = Deno.build;
  assert(isTarget(target));
  return platformPackage(target);
}

/** The packages as npm lays them out; returns the launcher. */
function install(folder: TempFolder, script: string | undefined, version = VERSION): string {
  const modules = "node_modules";
  folder.write(`${modules}/paddock-mcp/package.json`, JSON.stringify(mainPackage()));
  const source = Deno.readTextFileSync(`${REPOSITORY}build/npm/launcher.cjs`);
  const launcher = folder.write(`${modules}/paddock-mcp/${LAUNCHER}`, source);
  if (script !== undefined) {
    const { name } = ownPackage();
    folder.write(`${modules}/${name}/package.json`, JSON.stringify({ ...ownPackage(), version }));
    Deno.chmodSync(folder.write(`${modules}/${name}/bin/paddock`, `#!/bin/sh\n${script}\n`), 0o755);
  }
  return launcher;
}

async function launched(launcher: string, args: string[] = [], program = "node") {
  const { code, signal, stdout, stderr } = await new Deno.Command(program, { args: [launcher, ...args] })
    .output();
  const decoder = new TextDecoder();
  return { code, signal, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test(withNode("the launcher passes on arguments and the exit code"), async () => {
  using folder = tempFolder();
  const launcher = install(folder, `printf '<%s>' "$@"; exit 42`);
  const { code, stdout, stderr } = await launched(launcher, ["a b", "", "--x=$HOME", "'"]);
  assertEquals([code, stdout, stderr], [42, "<a b><><--x=$HOME><'>", ""]);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(withNode(`the launcher passes on ${signal}, and ends when the program does`), async () => {
    using folder = tempFolder();
    const name = signal.slice(3);
    const launcher = install(
      folder,
      `trap 'echo got ${name}; exit 7' ${name}; echo ready; while :; do sleep 0.05; done`,
    );
    const child = new Deno.Command("node", { args: [launcher], stdout: "piped" }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      said += part.value;
      if (said === "ready\n") child.kill(signal);
    }
    assertEquals([(await child.status).code, said], [7, `ready\ngot ${name}\n`]);
  });
}

Deno.test(withNode("the launcher ends with the signal that ended the program"), async () => {
  using folder = tempFolder();
  const { signal } = await launched(install(folder, "kill -TERM $$"));
  assertEquals(signal, "SIGTERM");
});

Deno.test(withNode("the launcher names the missing package, and how to get it"), async () => {
  using folder = tempFolder();
  const { code, stdout, stderr } = await launched(install(folder, undefined));
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^error: the package @paddock-mcp\/\S+ is missing, which holds the executable for \S+\.\n/,
  );
  assertStringIncludes(stderr, `npm install ${ownPackage().name}@${VERSION}\n`);
});

Deno.test(withNode("the launcher refuses a package of another version, and names both"), async () => {
  using folder = tempFolder();
  const { code, stderr } = await launched(install(folder, "exit 0", "9.9.9"));
  assertEquals(code, 1);
  assertStringIncludes(stderr, `${ownPackage().name} is version 9.9.9, but paddock-mcp needs ${VERSION}`);
});

Deno.test(withNode("the launcher names an executable that cannot run"), async () => {
  using folder = tempFolder();
  const launcher = install(folder, "exit 0");
  Deno.chmodSync(`${folder.path}/node_modules/${ownPackage().name}/bin/paddock`, 0o644);
  const { code, stderr } = await launched(launcher);
  assertEquals(code, 1);
  assertMatch(stderr, /^error: \S+\/bin\/paddock cannot be started: .*EACCES/);
});

Deno.test("mainPackage depends on the package of every target in its own version, and runs no script", () => {
  const { optionalDependencies, scripts, mcpName } = mainPackage();
  assertEquals(
    optionalDependencies,
    Object.fromEntries(TARGETS.map((target) => [platformPackage(target).name, VERSION])),
  );
  assertEquals(scripts, undefined);
  assertMatch(String(mcpName), /^io\.github\.[\w-]+\/paddock$/);
});

Deno.test("platformPackage is installed only on its own system and processor", () => {
  const all = TARGETS.map((target) => platformPackage(target)).map(({ os, cpu }) => `${os} ${cpu}`);
  assertEquals(new Set(all).size, TARGETS.length);
});
