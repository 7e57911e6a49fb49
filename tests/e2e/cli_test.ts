/** What the program says to the person who starts it: help, version, and every mistake at once. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FLAGS, helpText } from "../../src/cli/flags.ts";
import { NAME, VERSION } from "../../src/base/version.ts";
import { runToEnd } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

/** Runs with wrong arguments, and returns the messages, line by line. */
async function mistakes(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runToEnd(args, { env });
  assertEquals([code, stdout], [1, ""], stderr);
  return stderr.trimEnd().split("\n");
}

Deno.test("--help goes to standard output and lists every flag, and the exit code is 0", async () => {
  for (const args of [["--help"], ["-h", "--nonsense", "/no/such/directory"]]) {
    const { code, stdout, stderr } = await runToEnd(args);
    assertEquals([code, stdout, stderr], [0, helpText(), ""]);
  }
  for (const { name } of FLAGS) assertStringIncludes(helpText(), `--${name}`);
});

Deno.test("--version goes to standard output, and the exit code is 0", async () => {
  const { code, stdout, stderr } = await runToEnd(["--version"]);
  assertEquals([code, stdout, stderr], [0, `${NAME} ${VERSION}\n`, ""]);
});

Deno.test("without arguments the program says what it needs, with examples", async () => {
  const [first, ...examples] = await mistakes([]);
  assertEquals(
    first,
    "error: nothing to serve: give one or more directories, --config=FILE, --dir=DIR or --workspaces-root=DIR; examples:",
  );
  assert(
    examples.length >= 3 && examples.every((line) => line.startsWith(`  ${NAME} `)),
    examples.join("\n"),
  );
});

Deno.test("mistakes of every kind are reported together, each with what is allowed and an example", async () => {
  const lines = await mistakes(
    ["--prot=1", "--log-level=loud", "--max-size=0", "--timeout=1e3", "/no/such/dir", ""],
    { MCP_TRANSPORT: "pigeon" },
  );
  assertEquals(lines, [
    'error: unknown flag "--prot" (did you mean --port?); paddock --help lists all flags; example: --port=8091',
    'error: --max-size is "0", but must be a whole number from 1 to 100; example: --max-size=20',
    'error: --timeout is "1e3", but must be a whole number from 1 to 300; example: --timeout=30',
    'error: --log-level is "loud", but must be debug, info, warn or error; example: --log-level=debug',
    'error: the environment variable MCP_TRANSPORT is "pigeon", but must be stdio or http; example: ' +
    "MCP_TRANSPORT=http",
    'error: a directory is "", but must be the path of a directory (was a variable empty?); example: paddock .',
    'error: directory "/no/such/dir" does not exist, but must be an existing directory; example: paddock .',
  ]);
});

Deno.test("a directory that is missing, a file, or given twice is a mistake", async () => {
  using folder = tempFolder();
  const { path } = folder;
  const file = folder.write("file.txt", "");
  folder.write("one/x", "");
  assertEquals(await mistakes([`${path}/gone`, file, `${path}/one`, `${path}/one/`, `${path}/one/../one`]), [
    `error: directory "${path}/gone" does not exist, but must be an existing directory; example: paddock .`,
    `error: directory "${file}" is not a directory, but must be an existing directory; example: paddock .`,
    `error: directory "${path}/one/" is the same as directory "${path}/one", but must be another directory; ` +
    "example: paddock .",
    `error: directory "${path}/one/../one" is the same as directory "${path}/one", but must be another ` +
    "directory; example: paddock .",
  ]);
});

Deno.test("directories and a config file together are a mistake, and so is a missing config file", async () => {
  assertEquals(await mistakes(["--config=paddock.yaml", "."]), [
    'error: the command line has "." and --config="paddock.yaml", but must be only one of these: ' +
    "directories, --config, --dir or --workspaces-root; example: paddock --config=paddock.yaml",
  ]);
  assertEquals(await mistakes(["--config=/no/such.yaml"]), [
    'error: the config file "/no/such.yaml" does not exist, but must be a YAML file; example: paddock ' +
    "--config=paddock.yaml",
  ]);
});

Deno.test("E2E-081, 082, 083 mistakes in a config file are reported together, each with its line", async () => {
  using folder = tempFolder();
  const config = folder.write(
    "paddock.yaml",
    `max_full_read_size: 0
roots:
  - name: data
    path: .
    allowed_tools: [read_file, nonexistent_tool, raed_file]
  - name: data
    path: ${folder.path}/gone
    allowed_tools: ["*"]
`,
  );
  const said = await mistakes([`--config=${config}`, "--transport=stdio"]);
  const at = (line: number, text: string) => {
    const found = said.find((given) => given.startsWith(`error: ${config}:${line}: ${text}`));
    assert(found !== undefined, `nothing begins with ${line}: ${text}\n${said.join("\n")}`);
    assertStringIncludes(found, "; example: ");
  };
  at(1, "max_full_read_size is 0, but must be a whole number from 1 to ");
  at(5, 'root "data": unknown tool "nonexistent_tool"; allowed: *, ');
  at(5, 'root "data": unknown tool "raed_file" (did you mean read_file?); allowed: *, ');
  at(6, 'duplicate root name "data" (first on line 3), but must be unique');
  at(7, `root "data": path "${folder.path}/gone" does not exist, but must be an existing directory`);
  assertEquals(said.length, 5);
});

Deno.test('a config file without roots, or that is not YAML, is a mistake and never means "allow all"', async () => {
  using folder = tempFolder();
  const files: [text: string, said: string][] = [
    ["", "the file is empty, but must be a map with at least the key roots"],
    ["roots: []\n", "roots is an empty list, but must be a list of at least one root"],
    [
      "roots: [{ name: a, path: ., allowed_tools: [] }]\n",
      'root "a": allowed_tools is an empty list, but must be a list of tool names',
    ],
    [
      "roots: [{ name: a, path: . }]\n",
      'root "a": allowed_tools is missing, but must be a list of tool names',
    ],
    ["roots: [\n", "not valid YAML: "],
  ];
  for (const [text, said] of files) {
    const [first = ""] = await mistakes([`--config=${folder.write("paddock.yaml", text)}`]);
    assertStringIncludes(first, said);
  }
});

Deno.test("arguments are quoted in messages, so that they can neither forge a line nor colour the terminal", async () => {
  const lines = await mistakes(["--log-level=a\nerror: b\u001b[31m\u202e", "."]);
  assertEquals(lines, [
    'error: --log-level is "a\\nerror: b\\u001b[31m\\u202e", but must be debug, info, warn or error; example: ' +
    "--log-level=debug",
  ]);
});
