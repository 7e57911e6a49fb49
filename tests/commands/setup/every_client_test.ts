/** Every client that can be set up: printed, written, merged into an existing file, removed, and a broken file. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse as parseToml } from "@std/toml/parse";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseYaml } from "yaml";
import { CLIENTS } from "../../../src/cli/subcommands.ts";
import { CLIENT_RECORDS } from "../../../src/commands/setup/clients.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { runHere } from "../run_here.ts";

interface Entry {
  command: string;
  args: string[];
}

interface Form {
  parse(text: string): unknown;
  /** With comments, and other servers before and after; `KEY` is the client's own. */
  before: string;
  /** What must be left unchanged. */
  kept: string[];
  broken: string;
  says: string;
}

const JSON_FORM = {
  parse: (text: string) => parseJsonc(text),
  broken: '{ "KEY": { "x": ',
  says: "is not valid JSON",
};

const FORMS: Record<"json" | "jsonc" | "toml" | "yaml", Form> = {
  json: {
    ...JSON_FORM,
    before: '{\n\t"theme": "dark",\n\t"KEY": {\n\t\t"x": { "command": "y" }\n\t}\n}\n',
    kept: ['\t"theme": "dark",', '\t\t"x": { "command": "y" }'],
  },
  jsonc: {
    ...JSON_FORM,
    before: '{\n  // mine\n  "KEY": {\n    "x": { "command": "y" }, // a, b\n    /* last */\n  },\n}\n',
    kept: ["// mine", '"x": { "command": "y" }', "// a, b", "/* last */"],
  },
  toml: {
    parse: (text) => parseToml(text),
    before: '# mine\nmodel = "o9" # fast\n\n[KEY.x]\ncommand = "y"\n\n# about z\n[KEY.z]\ncommand = "z"\n',
    kept: ["# mine\n", 'model = "o9" # fast\n', '[KEY.x]\ncommand = "y"\n', "# about z\n[KEY.z]\n"],
    broken: "[KEY.x\ncommand = ",
    says: "is not valid TOML",
  },
  yaml: {
    parse: (text) => parseYaml(text),
    before: "# mine\nname: Local # fast\nKEY:\n  # about x\n  - name: x\n    command: y # why\nrules: []\n",
    kept: ["# mine\n", "name: Local # fast\n", "# about x\n", "command: y # why\n", "rules: []\n"],
    broken: "KEY:\n  - name: x\n command: [",
    says: "is not valid YAML",
  },
};

/** Servers by name, whatever the client's format. */
function serversIn(data: unknown, key: string): Record<string, Entry> {
  const servers = (data as Record<string, unknown> | null)?.[key] ?? {};
  if (!Array.isArray(servers)) return servers as Record<string, Entry>;
  return Object.fromEntries(servers.map(({ name, ...entry }) => [name, entry]));
}

for (const name of CLIENTS) {
  const { key, format, comments } = CLIENT_RECORDS[name];
  const form = FORMS[format ?? (comments ? "jsonc" : "json")];
  const filled = (text: string) => text.replaceAll("KEY", key);
  const serversOf = (text: string) => serversIn(form.parse(text), key);

  Deno.test(`setup ${name} prints what --write writes, merges it, and --remove removes it again`, async () => {
    using folder = tempFolder();
    folder.write("notes/a.txt", "a");
    const file = `${folder.path}/config`;
    const dir = `${folder.path}/notes`;
    const printed = await runHere(["setup", name, dir], { HOME: folder.path });
    assertEquals([printed.code, Object.keys(serversOf(printed.stdout))], [0, ["paddock"]]);
    const { paddock: wanted = { command: "", args: [] } } = serversOf(printed.stdout);
    assert(wanted.args.includes(dir));

    const fresh = await runHere(["setup", name, "--write", "--file", file, dir]);
    assertEquals([fresh.code, serversOf(folder.read("config"))], [0, { paddock: wanted }], fresh.stderr);

    folder.write("config", filled(form.before));
    const others = serversOf(filled(form.before));
    const write = (...args: string[]) => runHere(["setup", name, "--write", "--file", file, ...args]);
    assertEquals((await write(dir)).code, 0);
    const merged = folder.read("config");
    assertEquals(serversOf(merged), { ...others, paddock: wanted });
    for (const kept of form.kept) assertStringIncludes(merged, filled(kept));
    assertStringIncludes((await write(dir)).stdout, "nothing to change");
    assertEquals(folder.read("config"), merged);

    assertEquals((await write(folder.path)).code, 0); // another directory, which replaces it
    const changed = serversOf(folder.read("config"));
    assertEquals(Object.keys(changed).sort(), [...Object.keys(others), "paddock"].sort());
    assert(changed.paddock?.args.includes(folder.path) && !changed.paddock.args.includes(dir));
    for (const kept of form.kept) assertStringIncludes(folder.read("config"), filled(kept));

    const remove = () => runHere(["setup", name, "--remove", "--file", file]);
    assertStringIncludes((await remove()).stdout, `removed from: ${file}`);
    const removed = folder.read("config");
    assertEquals(form.parse(removed), form.parse(filled(form.before)));
    for (const kept of form.kept) assertStringIncludes(removed, filled(kept));
    assertStringIncludes((await remove()).stdout, "nothing to change");
  });

  Deno.test(`setup ${name} leaves a broken file alone`, async () => {
    using folder = tempFolder();
    folder.write("config", filled(form.broken));
    for (const args of [["--write", folder.path], ["--remove"]]) {
      const { code, stderr } = await runHere(["setup", name, "--file", `${folder.path}/config`, ...args]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, form.says);
      assertStringIncludes(stderr, "nothing was changed");
    }
    assertEquals([folder.read("config"), folder.names()], [filled(form.broken), ["config"]]);
  });
}

Deno.test("setup --remove of the only server leaves an empty list, in every format", async () => {
  using folder = tempFolder();
  for (const name of CLIENTS) {
    const file = `${folder.path}/${name}`;
    await runHere(["setup", name, "--write", "--file", file, folder.path]);
    const { code, stderr } = await runHere(["setup", name, "--remove", "--file", file]);
    assertEquals([code, stderr], [0, ""], name);
    const { key, format } = CLIENT_RECORDS[name];
    assertEquals(serversIn(FORMS[format ?? "jsonc"].parse(folder.read(name)), key), {}, name);
  }
});

Deno.test("setup keeps what a person added to the server, and refuses TOML in other forms", async () => {
  using folder = tempFolder();
  const file = folder.write(
    "codex",
    '[mcp_servers."paddock"]\nargs = [\n  "old",\n]\nstartup_timeout_sec = 20 # slow disk\ncommand = "old"\n\n' +
      '[mcp_servers.paddock.env]\nA = "1"\n',
  );
  assertEquals((await runHere(["setup", "codex", "--write", "--file", file, folder.path])).code, 0);
  const { paddock } = serversIn(parseToml(folder.read("codex")), "mcp_servers") as Record<string, unknown>;
  const { command, args, ...others } = paddock as Entry;
  assertEquals(others, { startup_timeout_sec: 20, env: { A: "1" } } as unknown);
  assert(command !== "old" && args.includes(folder.path));
  assertStringIncludes(folder.read("codex"), "# slow disk");
  assertEquals((await runHere(["setup", "codex", "--remove", "--file", file])).code, 0);
  assertEquals(parseToml(folder.read("codex")), {});
  const inline = 'mcp_servers = { paddock = { command = "x" } }\n';
  folder.write("codex", inline);
  for (const args of [["--write", folder.path], ["--remove"]]) {
    const { code, stderr } = await runHere(["setup", "codex", "--file", file, ...args]);
    assertEquals([code, folder.read("codex")], [1, inline]);
    assertStringIncludes(stderr, "change it by hand");
  }
});

Deno.test("setup --workspaces-root prints a configuration that starts a workspaces server", async () => {
  using folder = tempFolder();
  const { code, stdout } = await runToEnd(["setup", "codex", `--workspaces-root=${folder.path}`]);
  assertEquals(code, 0);
  const { command = "", args = [] } = serversIn(parseToml(stdout), "mcp_servers").paddock ?? {};
  await using server = new TestServer(args, { command: [command], cwd: "/" });
  await server.initialize();
  const { value } = await server.call("workspace_create", { name: "one" });
  assertEquals(value.workspaceId, "one");
  for (
    const [given, says] of [
      [[`--workspaces-root=${folder.path}`, folder.path], "a server takes only one of them"],
      [["--workspaces-root=/gone"], 'directory "/gone" does not exist'],
      [["--remove", folder.path], "--remove removes a server"],
      [["--remove", "--write"], "--remove removes a server"],
    ] as const
  ) {
    const wrong = await runHere(["setup", "codex", ...given]);
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.stderr, says);
  }
});
