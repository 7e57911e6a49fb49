/** The contract of multi_edit_text_file: its test cases by name, and every row of its table of errors. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { MultiEditOutput } from "../../../src/tools/multi_edit_schema.ts";
import { type Need, needs } from "../../support/needs.ts";
import { hexOf } from "../../support/sha256.ts";
import { type Arguments, edits, type Field, type FieldSurface, multiEdit, SURFACES } from "./fields.ts";

const CONFIG = `[server]
host = "localhost"
port = 8080

[app]
debug = false
`;

/** Creating links takes special rights there. */
const IS_WINDOWS = Deno.build.os === "windows";

interface Failure {
  /** The row of the table. */
  name: string;
  content?: string | Uint8Array;
  /** Instead of the file's own path and edits. */
  args?: (field: Field) => Arguments;
  code: number;
  /** What comes before the path, or all of it. */
  message: (path: string) => string;
  data?: Arguments;
  needs?: Need[];
}

const X_TO_Y = edits(["x", "y"]);

const FAILURES: readonly Failure[] = [
  {
    name: "File not found",
    code: -32001,
    message: (path) => `File not found: ${path}`,
  },
  {
    name: "File not found, in a folder that does not exist either",
    args: ({ path }) => ({ path: `${path}/no/such/file.txt` }),
    code: -32001,
    message: (path) => `File not found: ${path}`,
  },
  {
    name: "Permission denied, outside",
    args: ({ outside }) => ({ path: `${outside}/secret.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, outside, where nothing is",
    args: ({ outside }) => ({ path: `${outside}/nothing.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, climbing out",
    args: ({ path }) => ({ path: `${path}/sub/../../secret.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, in a folder whose name only begins like the served one",
    args: ({ path }) => ({ path: `${path}_evil/secret.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, through a link that leads outside",
    needs: ["Unix"],
    args: ({ path }) => ({ path: `${path}/out/secret.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, by a link to a file outside",
    needs: ["Unix"],
    args: ({ path }) => ({ path: `${path}/sub/link.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, by a name reserved for paddock",
    args: ({ path }) => ({ path: `${path}/.paddock-0a.tmp` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, in a .git",
    args: ({ path }) => ({ path: `${path}/.git/config` }),
    code: -32002,
    message: (path) => `Permission denied: ${path}`,
  },
  {
    name: "Permission denied, with a null byte",
    args: ({ path }) => ({ path: `${path}/a\0.txt` }),
    code: -32002,
    message: (path) => `Permission denied: ${path.replace("\0", "\\u0000")}`,
  },
  {
    name: "String not found",
    content: "one\n  two\n",
    args: () => ({ edits: edits(["one", "1"], ["tWo", "2"]) }),
    code: -32010,
    message: () => "Edit 1: String not found: tWo",
    data: {
      edit_index: 1,
      nearest_match: { line: 2, end_line: 2, text: "two", cut: false, differs: ["case"] },
      lines_compared: 2,
      changed_by_earlier_edit: false,
    },
  },
  {
    name: "Multiple matches",
    content: "a\nb\na a\n",
    args: () => ({ edits: edits(["a", "1"]) }),
    code: -32011,
    message: () => "Edit 0: String appears 3 times: a",
    data: { edit_index: 0, count: 3, lines: [1, 3, 3] },
  },
  {
    name: "Multiple matches, that overlap",
    content: "aXaXa\n",
    args: () => ({ edits: edits(["aXa", "1"]) }),
    code: -32011,
    message: () => "Edit 0: String appears 2 times: aXa",
    data: { edit_index: 0, count: 2, lines: [1, 1] },
  },
  {
    name: "Invalid path",
    args: () => ({ path: "relative/file.txt" }),
    code: -32600,
    message: (path) => `Path must be absolute: ${path}`,
  },
  {
    name: "Invalid path, reported before anything else",
    args: () => ({ path: "", edits: [] }),
    code: -32600,
    message: () => "Path must be absolute: ",
  },
  {
    name: "Empty edits array",
    content: "x",
    args: () => ({ edits: [] }),
    code: -32600,
    message: () => "Edits array cannot be empty",
  },
  {
    name: "Conflicting edits",
    content: "one two three\n",
    args: () => ({ edits: edits(["one", "1"], ["two", "2 and"], ["and three", "3"]) }),
    code: -32012,
    message: () => "Edit 2 conflicts with edit 1",
    data: {
      edit_index: 2,
      prior_index: 1,
      lines: { start: 1, end: 1 },
      prior_lines: { start: 1, end: 1 },
    },
  },
  {
    name: "Binary file, by a null byte",
    content: new Uint8Array([0x78, 0, 0x79]),
    code: -32004,
    message: (path) => `Cannot edit binary file: ${path}`,
  },
  {
    name: "Binary file, by bytes that are not UTF-8",
    content: new Uint8Array([0x78, 0xe9]),
    code: -32004,
    message: (path) => `Cannot edit binary file: ${path}`,
  },
  {
    name: "a folder",
    args: ({ path }) => ({ path: `${path}/sub` }),
    code: -32602,
    message: () => "path is a directory, not a file",
  },
  {
    name: "arguments that do not match the schema",
    args: () => ({ edits: [{ old_string: "x" }], dry_run: "yes" }),
    code: -32602,
    message: () => "edits[0].new_string is required (a string); dry_run must be true or false",
  },
  {
    name: "a content other than the one the client saw",
    content: "x\n",
    args: () => ({ expected_hash: "0".repeat(64) }),
    code: -32013,
    message: () => "does not match expected_hash: its hash is now ",
  },
];

for (const surface of SURFACES) contract(surface);

type Result = MultiEditOutput & { commit?: string; kept?: string };

/** A result without what a surface adds to it. */
function ofContract({ commit: _commit, kept: _kept, ...rest }: Result): MultiEditOutput {
  return rest;
}

function contract(surface: FieldSurface): void {
  let field: Field;
  let files = 0;

  Deno.test.beforeAll(async () => {
    field = await surface.start();
    Deno.mkdirSync(`${field.path}_evil`);
    for (const folder of [`${field.outside}/`, `${field.path}_evil/`]) {
      Deno.writeTextFileSync(`${folder}secret.txt`, "x");
    }
    field.write("sub/there.txt", "");
    if (IS_WINDOWS) return;
    Deno.symlinkSync(field.outside, `${field.path}/out`);
    Deno.symlinkSync(`${field.outside}/secret.txt`, `${field.path}/sub/link.txt`);
  });
  Deno.test.afterAll(async () => await field?.[Symbol.asyncDispose]());

  /** Edits a separate file by its absolute path. */
  async function edited(content: string, args: Arguments) {
    const name = `file-${files++}.txt`;
    const path = field.write(name, content);
    const { result, error } = await multiEdit(field, { path, ...args });
    assertEquals(error, undefined);
    assertEquals(JSON.parse(result.content[0].text), result.structuredContent);
    return { name, value: ofContract(result.structuredContent), after: field.read(name) };
  }

  /** The same for edits that must fail. */
  async function refused(content: string, args: Arguments) {
    const name = `file-${files++}.txt`;
    const { result, error } = await multiEdit(field, { path: field.write(name, content), ...args });
    assertEquals(result, undefined);
    return { error, after: field.read(name) };
  }

  const test = (name: string, fn: () => Promise<void>, needed: Need[] = []) =>
    Deno.test(needs(...needed)(`${name} (${surface.name})`), fn);

  test("TC1: Multiple Edits in Same File", async () => {
    const { value, after, name } = await edited(CONFIG, {
      edits: edits(
        ["port = 8080", "port = 3000"],
        ['host = "localhost"', 'host = "0.0.0.0"'],
        ["debug = false", "debug = true"],
      ),
    });
    const expected = CONFIG.replace("8080", "3000").replace("localhost", "0.0.0.0").replace("false", "true");
    assertEquals(value, {
      success: true,
      diff: `--- ${name}\n+++ ${name}\n@@ -1,6 +1,6 @@\n [server]\n-host = "localhost"\n-port = 8080\n` +
        `+host = "0.0.0.0"\n+port = 3000\n \n [app]\n-debug = false\n+debug = true\n`,
      applied_count: 3,
      line_ranges: [
        { edit_index: 0, start: 3, end: 3 },
        { edit_index: 1, start: 2, end: 2 },
        { edit_index: 2, start: 6, end: 6 },
      ],
      hash: await hexOf(expected),
    });
    assertEquals(after, expected);
  });

  test("TC2: Sequential Edits (Order Matters)", async () => {
    const { value, after } = await edited("AAA", { edits: edits(["AAA", "BBB"], ["BBB", "CCC"]) });
    assertEquals([value.success, value.applied_count, after], [true, 2, "CCC"]);
    const changes = value.diff.split("\n").slice(2).filter((line: string) => /^[-+]/.test(line));
    assertEquals(changes, ["-AAA", "+CCC"]);
  });

  test("TC3: String Not Found in Edit 2", async () => {
    const args = { edits: edits(["line 1", "LINE 1"], ["line 3", "LINE 3"]) };
    const { error, after } = await refused("line 1\nline 2\n", args);
    assertEquals([error?.code, error?.message], [-32010, "Edit 1: String not found: line 3"]);
    assertEquals(after, "line 1\nline 2\n");
  });

  test("TC4: Empty Edits Array", async () => {
    const { error, after } = await refused("there", { edits: [] });
    assertEquals([error?.code, error?.message], [-32600, "Edits array cannot be empty"]);
    assertEquals(after, "there");
  });

  test("TC5: Duplicate Edits (Same String Twice)", async () => {
    const { error, after } = await refused("foo", { edits: edits(["foo", "bar"], ["foo", "baz"]) });
    assertEquals([error?.code, error?.message], [-32010, "Edit 1: String not found: foo"]);
    assertEquals([error?.data.changed_by_earlier_edit, after], [true, "foo"]);
  });

  test("TC6: Large Number of Edits", async () => {
    const words = Array.from({ length: 100 }, (_, i) => `<unique ${i}>`);
    const { value, after } = await edited(words.join("\n"), {
      edits: edits(...words.map((word, i): [string, string] => [word, `[changed ${i}]`])),
    });
    assertEquals([value.success, value.applied_count], [true, 100]);
    assertEquals(after, words.map((_, i) => `[changed ${i}]`).join("\n"));
  });

  test("TC7: Edits Creating Ambiguity", async () => {
    const { error, after } = await refused("A", { edits: edits(["A", "AA"], ["A", "B"]) });
    assertEquals([error?.code, error?.message], [-32011, "Edit 1: String appears 2 times: A"]);
    assertEquals(after, "A");
  });

  for (const { name, content, args = () => ({}), code, message, data, needs: needed } of FAILURES) {
    test(`multi_edit_text_file fails as the table says: ${name}`, async () => {
      const file = `row-${files++}.txt`;
      const own = content === undefined ? `${field.path}/${file}` : field.write(file, content);
      const call: Arguments = { path: own, edits: X_TO_Y, ...args(field) };
      const { result, error } = await multiEdit(field, call);
      assertEquals([result, error?.code], [undefined, code], error?.message);
      const expected = message(String(call.path));
      if (code === -32602 || code === -32013) assertStringIncludes(error?.message ?? "", expected);
      else assertEquals(error?.message, expected);
      if (data !== undefined) assertEquals(error?.data, data);
      if (content !== undefined) {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        assertEquals(Deno.readFileSync(own), bytes);
      }
      for (const folder of [`${field.outside}/`, `${field.path}_evil/`]) {
        assertEquals(Deno.readTextFileSync(`${folder}secret.txt`), "x");
      }
    }, needed);
  }

  test("multi_edit_text_file reveals nothing about what is outside", async () => {
    const [there, not] = await Promise.all(
      ["secret.txt", "nothing.txt"].map((name) =>
        multiEdit(field, { path: `${field.outside}/${name}`, edits: X_TO_Y })
      ),
    );
    assertEquals(
      JSON.stringify(there?.error).replaceAll("secret.txt", "nothing.txt"),
      JSON.stringify(not?.error),
    );
  });

  test("multi_edit_text_file accepts a path that does not name the host's folders", async () => {
    field.write("sub/named.txt", "x\r\n");
    const { result } = await multiEdit(field, { ...field.at("sub/named.txt"), edits: X_TO_Y });
    assertEquals(result.structuredContent.diff, "--- named.txt\n+++ named.txt\n@@ -1 +1 @@\n-x\r\n+y\r\n");
    assertEquals(field.read("sub/named.txt"), "y\r\n");
    const { error } = await multiEdit(field, { ...field.at("../secret.txt"), edits: X_TO_Y });
    assertEquals([error?.code, error?.message], [-32002, "Permission denied: ../secret.txt"]);
  });

  test("multi_edit_text_file writes nothing when dry_run is true, and returns what it would do", async () => {
    const args = { edits: edits(["a", "$&"], ["b", "2"]) };
    const { value, name, after } = await edited("a\nb\n", { ...args, dry_run: true });
    assertEquals([value.dry_run, value.hash, after], [true, await hexOf("a\nb\n"), "a\nb\n"]);
    const real = await multiEdit(field, { ...field.at(name), ...args, expected_hash: value.hash });
    const { dry_run: _, hash: __, ...foretold } = value;
    assertEquals(ofContract(real.result.structuredContent), { ...foretold, hash: await hexOf("$&\n2\n") });
    const { error } = await refused("a\n", { ...args, dry_run: true });
    assertEquals(error?.message, "Edit 1: String not found: b");
  });

  test("multi_edit_text_file changes only the content that expected_hash names", async () => {
    const { name, value } = await edited("1\n", { edits: edits(["1", "2"]) });
    const stale = { ...field.at(name), edits: edits(["2", "3"]), expected_hash: await hexOf("1\n") };
    const { error } = await multiEdit(field, stale);
    const { mtime } = Deno.statSync(`${field.path}/${name}`);
    assertEquals(error?.data, {
      code: "CONFLICT",
      expected_hash: await hexOf("1\n"),
      hash: value.hash,
      size: 2,
      modified: mtime?.toISOString(),
    });
    assertEquals(field.read(name), "2\n");
    const { result } = await multiEdit(field, { ...stale, expected_hash: error?.data.hash.toUpperCase() });
    assertEquals([result.structuredContent.applied_count, field.read(name)], [1, "3\n"]);
  });

  test("multi_edit_text_file keeps all of 20 changes that two processes make at once", async () => {
    await using other = await field.another();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i};`);
    field.write("shared.txt", lines.join("\n"));
    const answers = await Promise.all(
      lines.map((line, i) =>
        multiEdit(i % 2 === 0 ? field : { server: other }, {
          ...field.at("shared.txt"),
          edits: edits([line, `done ${i};`]),
        })
      ),
    );
    assert(answers.every(({ result }) => result?.structuredContent.success), JSON.stringify(answers));
    assertEquals(field.read("shared.txt"), lines.map((_, i) => `done ${i};`).join("\n"));
  });
}
