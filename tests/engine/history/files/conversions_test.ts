import { assertEquals, assertMatch } from "@std/assert";
import { refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

/** A repository that a person made, without paddock's attributes. */
async function plainRepository(): Promise<Workspace> {
  const work = await newWorkspace();
  Deno.removeSync(`${work.path}/.git/info/attributes`);
  return work;
}

type Case = [attributes: string, path: string, content: string, expected: RegExp | undefined];

/** Git itself is asked about each as well. */
const CASES: Case[] = [
  ["*.txt text", "a.txt", "a\n", undefined],
  ["*.txt text", "a.txt", "a\r\n", /text, and it has CRLF/],
  ["*.txt text", "sub/a.txt", "a\r\n", /"sub\/a.txt" \(text/],
  ["*.txt text", "a.bin", "a\r\n", undefined],
  ["/sub/*.txt eol=crlf", "sub/a.txt", "a\r\n", /text/],
  ["/sub/*.txt eol=crlf", "a.txt", "a\r\n", undefined],
  ["* text=auto", "a.txt", "a\r\n", /text=auto/],
  ["* text=auto", "a.txt", "a\n", undefined],
  ["* text=auto", "a.bin", "a\0\r\n", undefined],
  ["* text=auto\n*.txt -text", "a.txt", "a\r\n", undefined],
  ["* text\n*.bin binary", "a.bin", "a\r\n", undefined],
  ["* text\n*.txt !text", "a.txt", "a\r\n", undefined],
  ["[attr]mine text\n*.txt mine", "a.txt", "a\r\n", /text/],
  ["[attr]inner text\n[attr]outer inner\n*.txt outer", "a.txt", "a\r\n", /text/],
  ["[attr]one two\n[attr]two one text\n*.txt one", "a.txt", "a\r\n", /text/],
  ["*.txt crlf", "a.txt", "a\r\n", /text/],
  ["*.c ident", "a.c", "$Id: 1234 $\n", /ident/],
  ["*.c ident", "a.c", "none\n", undefined],
  ["*.txt working-tree-encoding=UTF-16LE", "a.txt", "a\0", /working-tree-encoding=UTF-16LE/],
  ["*.dat filter=mark", "a.dat", "a\n", /filter=mark/],
  ["*.dat filter=mark", "{a}.txt", "a\n", undefined],
  ["{a,b}.txt text", "a.txt", "a\r\n", undefined],
];

Deno.test(
  withGit("change refuses exactly the files that git would convert, and says how to stop that"),
  async () => {
    using work = await plainRepository();
    work.git("config", "filter.mark.clean", "sed s/^/x/");
    for (const [attributes, path, content, expected] of CASES) {
      const about = `${attributes} | ${path} | ${JSON.stringify(content)}`;
      work.write(".gitattributes", `# a comment\n${attributes}\n`);
      work.write(path, content);
      const raw = work.git("hash-object", "--no-filters", path);
      const isConverted = work.git("hash-object", path) !== raw;
      Deno.removeSync(`${work.path}/${path}`);
      const result = await work.put(path, content).then(
        () => "",
        (error) => `${error.code}: ${error.message}`,
      );
      assertEquals(isConverted, expected !== undefined, about);
      if (expected === undefined) {
        assertEquals(result, "", about);
        assertEquals(work.git("rev-parse", `HEAD:${path}`), raw, about);
        await work.change({ kind: "remove", path: work.at(path) });
      } else {
        assertMatch(result, expected, about);
        assertMatch(result, /^UNSUPPORTED: .*echo '\* -text .*>> \.git\/info\/attributes$/, about);
      }
    }
  },
);

Deno.test(withGit("change refuses what a macro of the top folder makes git convert below it"), async () => {
  using work = await plainRepository();
  work.git("config", "filter.mark.clean", "sed s/^/x/");
  work.write(".gitattributes", "[attr]marked filter=mark\n");
  work.write("sub/.gitattributes", "[attr]here filter=mark\n*.dat marked\n*.txt here\n");
  assertMatch(await refusal(work.put("sub/a.dat", "a\n")), /filter=mark/);
  await work.put("sub/a.txt", "a\n"); // git ignores macros defined there
  assertEquals(work.git("rev-parse", "HEAD:sub/a.txt"), work.git("hash-object", "sub/a.txt"));
});

Deno.test(
  withGit(
    "change respects attributes in folders, core.autocrlf and the history, and none that are switched off",
  ),
  async () => {
    using work = await plainRepository();
    work.write("old.txt", "a\r\n");
    work.git("add", "-A");
    work.git("commit", "-qm", "with CRLF");
    work.git("config", "core.autocrlf", "input");
    work.write("sub/.gitattributes", "*.txt -text\n");
    assertMatch(await refusal(work.put("new.txt", "a\r\n")), /core\.autocrlf/);
    await work.put("sub/new.txt", "a\r\n");
    await work.put("old.txt", "b\r\n");
    // The same rules apply to what a person left on disk.
    work.write("left.txt", "a\r\n");
    assertMatch(await refusal(work.change({ kind: "remove", path: work.at("left.txt") })), /"left\.txt" \(/);
    assertEquals(work.read("left.txt"), "a\r\n");
    work.write(".git/info/attributes", "* -text -filter -ident -working-tree-encoding\n");
    await work.put("new.txt", "a\r\n");
    await work.change({ kind: "remove", path: work.at("left.txt") });
    work.git("add", "-A");
    work.git("commit", "-qm", "sub/.gitattributes");
    work.judge();
  },
);

Deno.test(
  withGit("restore leaves a file that git stores in another form, says so, and restores the others"),
  async () => {
    using work = await plainRepository();
    work.git("config", "filter.mark.clean", "sed s/^/x/");
    work.write(".gitattributes", "*.dat filter=mark\n");
    work.write("a.dat", "data\n");
    work.write("b", "0\n");
    work.git("add", "-A");
    work.git("commit", "-qm", "filtered");
    work.write("a.dat", "other data\n");
    work.git("commit", "-qam", "filtered again");
    await work.put("b", "1\n");
    const query = { commit: "HEAD~2", maxFiles: 9 };
    const { diff: _, truncated: __, ...planned } = await work.history.planRestore(query);
    const { value } = await work.history.restore({ ...REQUEST, tool: "restore" }, query);
    assertEquals(value, planned);
    assertEquals(value.files, [{ path: "b", status: "modified" }]);
    assertEquals(value.skipped, [{ path: "a.dat", reason: "git is set to convert it (filter=mark)" }]);
    assertEquals([work.read("a.dat"), work.read("b")], ["other data\n", "0\n"]);
    work.judge();
  },
);

Deno.test(withGit("change takes modes from the history where core.fileMode is off"), async () => {
  using work = await plainRepository();
  await work.put("a", "0\n");
  await work.put("run", "0\n");
  Deno.chmodSync(`${work.path}/run`, 0o755);
  await work.put("run", "1\n");
  work.git("config", "core.fileMode", "false");
  Deno.chmodSync(`${work.path}/a`, 0o755);
  Deno.chmodSync(`${work.path}/run`, 0o644);
  assertEquals((await work.history.diff({ from: "HEAD", maxBytes: 99, maxFiles: 9 })).files, []);
  for (const path of ["a", "run"]) assertEquals((await work.put(path, "2\n")).kept, undefined);
  assertMatch(work.git("ls-tree", "HEAD"), /^100644 .*\ta\n100755 .*\trun\n$/);
  work.judge();
});

Deno.test(
  withGit(
    "change refuses what core.attributesFile may make git convert, wherever it is set, unless conversions are off",
  ),
  async () => {
    using work = await plainRepository();
    using outside = tempFolder();
    const attributes = outside.write("attributes", "*.txt text\n");
    for (const place of ["--local", "--worktree"]) {
      work.git("config", "extensions.worktreeConfig", "true");
      work.git("config", place, "core.attributesFile", attributes);
      work.write("a.txt", "a\r\n");
      const converted = work.git("hash-object", "a.txt") !== work.git("hash-object", "--no-filters", "a.txt");
      assertEquals(converted, true, "git minds it");
      Deno.removeSync(`${work.path}/a.txt`);
      assertMatch(
        await refusal(work.put("a.txt", "a\r\n")),
        /^UNSUPPORTED: git is set to convert "a\.txt" \(core\.attributesFile, .* >> \.git\/info\/attributes$/,
      );
      work.git("config", place, "core.attributesFile", "");
      await work.put("a.txt", "a\r\n");
      await work.change({ kind: "remove", path: work.at("a.txt") });
      work.git("config", place, "--unset", "core.attributesFile");
    }
    work.git("config", "core.attributesFile", attributes);
    work.write(".git/info/attributes", "* -text -filter -ident -working-tree-encoding\n");
    await work.put("a.txt", "a\r\n");
    work.judge();
  },
);
