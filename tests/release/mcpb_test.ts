/** The bundle for one-click installs, unpacked and started as a client does it, by the format's own code. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import { bundleManifest, bundleName } from "../../build/mcpb/manifest.ts";
import { isTarget, type Target, TARGETS } from "../../build/targets.ts";
import { distFolder, needs } from "../support/needs.ts";
import { NO_UNDO_ENV } from "../support/no_undo.ts";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

function ownTarget(): Target {
  const { target } = Deno.build;
  assert(isTarget(target));
  return target;
}

async function unpacked(folder: TempFolder): Promise<string> {
  const outputDir = `${folder.path}/bundle`;
  const mcpbPath = `${distFolder()}/${bundleName(ownTarget())}`;
  assert(await unpackExtension({ mcpbPath, outputDir, silent: true }));
  return outputDir;
}

/** How a client would start it, with a person's choices. */
async function startedBy(extensionPath: string, userConfig: Record<string, string | boolean | string[]>) {
  const manifest = JSON.parse(Deno.readTextFileSync(`${extensionPath}/manifest.json`));
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath,
    systemDirs: {},
    userConfig,
    pathSeparator: "/",
  });
  assert(config !== undefined);
  const { command, args = [], env = {} } = config;
  return new TestServer(args, { command: [command], env: { ...NO_UNDO_ENV, ...env } });
}

Deno.test(
  needs("packages in PADDOCK_DIST", "Unix")(
    "the bundle serves the folders that a person chose, for reading and writing",
  ),
  async () => {
    using folder = tempFolder();
    folder.write("one/a.txt", "a");
    folder.write("two words/b.txt", "b");
    const directories = [`${folder.path}/one`, `${folder.path}/two words`];
    await using server = await startedBy(await unpacked(folder), { directories });
    await server.initialize();
    assertEquals((await server.call("read_file", { root: "two-words", path: "b.txt" })).text, "b");
    assertEquals(
      (await server.call("write_file", { root: "one", path: "c.txt", content: "c" })).isError,
      false,
    );
    assertEquals(await server.end(), 0);
  },
);

Deno.test(
  needs("packages in PADDOCK_DIST", "Unix")("the bundle changes nothing if a person chose read-only"),
  async () => {
    using folder = tempFolder();
    folder.write("one/a.txt", "a");
    const choice = { directories: [`${folder.path}/one`], read_only: true, no_undo: true };
    await using server = await startedBy(await unpacked(folder), choice);
    await server.initialize();
    const { result } = await server.request("tools/list");
    const names: string[] = result.tools.map(({ name }: { name: string }) => name);
    assert(names.includes("read_file") && !names.includes("write_file"), names.join());
    assertEquals(await server.end(), 0);
    assertStringIncludes(server.log, "read_only=true");
  },
);

Deno.test("bundleManifest names the executable and the system of each target", () => {
  for (const target of TARGETS) {
    const { server, compatibility } = bundleManifest(target);
    assertEquals(server.entry_point.endsWith(".exe"), target.includes("windows"), target);
    assertEquals(compatibility.platforms.length, 1);
    assertStringIncludes(server.mcp_config.command, server.entry_point);
  }
});
