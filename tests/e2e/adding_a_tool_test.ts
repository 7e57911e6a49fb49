/** Follows docs/notes/adding_a_tool.md word for word on a copy of the source. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { REPOSITORY, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

interface Recipe {
  newFile: string;
  code: string;
  changedFile: string;
  line: string;
}

/** The two steps of the page: a file to create, and a line to add to another. */
function readRecipe(): Recipe {
  const page = Deno.readTextFileSync(`${REPOSITORY}docs/notes/adding_a_tool.md`);
  const [create, add, ...more] = [
    ...page.matchAll(/^\d\. (.*) `(src\/[^`]+)`:\n\n {3}```ts\n([^]*?)\n {3}```$/gm),
  ];
  const [, createWords, newFile = "", code = ""] = create ?? [];
  const [, addWords, changedFile = "", line = ""] = add ?? [];
  assertEquals([createWords, addWords, more.length], ["Create", "Add one line to", 0]);
  const outdent = (text: string) => text.replaceAll(/^ {3}/gm, "");
  return { newFile, code: outdent(code) + "\n", changedFile, line: outdent(line) + "\n" };
}

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

Deno.test("a tool is added as docs/notes/adding_a_tool.md says: one new file, one line and a task", async () => {
  using folder = tempFolder();
  const { newFile, code, changedFile, line } = readRecipe();
  assertEquals(line.trimEnd().includes("\n"), false, "one line");
  const copy = `${folder.path}/copy`;
  for (const name of ["src", "docs", "bench"]) copyTree(REPOSITORY + name, `${copy}/${name}`);
  for (const name of ["main.ts", "deno.json", "deno.lock", "README.md"]) {
    Deno.copyFileSync(REPOSITORY + name, `${copy}/${name}`);
  }
  Deno.writeTextFileSync(`${copy}/${newFile}`, code, { createNew: true });
  Deno.writeTextFileSync(`${copy}/${changedFile}`, line, { append: true, create: false });

  const checked = await new Deno.Command(Deno.execPath(), {
    args: ["check", `${copy}/${newFile}`],
    cwd: copy,
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(checked.code, 0, new TextDecoder().decode(checked.stderr));
  const written = await new Deno.Command(Deno.execPath(), { args: ["task", "docs"], cwd: copy }).output();
  assertEquals(written.code, 0, new TextDecoder().decode(written.stderr));

  const name = /name: "(\w+)"/.exec(code)?.[1] ?? "";
  folder.write("some/poem.txt", "one\ntwo\nthree\n");
  Deno.mkdirSync(`${folder.path}/none`);
  const config = folder.write(
    "c.yaml",
    `roots:
  - { name: some, path: some, allowed_tools: [${name}] }
  - { name: none, path: none, allowed_tools: [read_file] }
`,
  );
  await using server = new TestServer([`--config=${config}`, "--transport=stdio"], {
    command: [Deno.execPath(), "run", "-A", `${copy}/main.ts`],
  });
  await server.initialize();
  const { result } = await server.request("tools/list");
  const listed = result.tools.find((tool: { name: string }) => tool.name === name);
  assertEquals([listed?.annotations.readOnlyHint, listed?.inputSchema.required], [true, ["root", "path"]]);
  const counted = await server.call(name, { root: "some", path: "poem.txt" });
  assertEquals([counted.isError, counted.value], [false, { lines: 3 }]);
  for (
    const [args, message] of [
      [{ root: "none", path: "x" }, /^tool \w+ not allowed on root none/],
      [{ root: "some", path: "../none" }, /^path resolves outside root boundary/],
      [{ root: "some" }, /^path is required/],
    ] as const
  ) {
    const { isError, text } = await server.call(name, args);
    assert(isError);
    assertMatch(text, message);
  }
  await server.logged(`"tool":"${name}"`);
});
