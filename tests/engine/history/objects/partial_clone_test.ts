/** A clone that has not fetched every content says so, and everything else works. */
import { assertEquals, assertMatch } from "@std/assert";
import { refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { newWorkspace, REQUEST, workspaceOn } from "../workspace.ts";

const QUERY = { maxFiles: 9, maxBytes: 1_000 };
const RESTORE = { ...REQUEST, tool: "restore" };

Deno.test(
  withGit(
    "a content that a partial clone has not fetched is reported as such, and can be fetched as the error says",
  ),
  async () => {
    using origin = await newWorkspace();
    using folder = tempFolder();
    for (const version of ["1", "2", "3"]) {
      await origin.put("a", `a${version}\n`);
      await origin.put("b", `b${version}\n`);
    }
    origin.git("config", "uploadpack.allowFilter", "true");
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true");
    origin.git("clone", "-q", "--filter=blob:none", `file://${origin.path}`, `${folder.path}/clone`);
    const root = { ...origin.root, path: `${folder.path}/clone` };
    const work = workspaceOn(root);
    const path = (name: string) => `${root.path}/${name}`;
    const first = work.git("rev-parse", "HEAD~4").trim();
    work.git("config", "maintenance.auto", "false"); // which git would start without being asked

    await work.put("a", "4\n"); // what is there can be changed
    work.judge();
    const told = /^UNSUPPORTED: object [0-9a-f]{40} is not in this repository, which is a partial clone/;
    const message = await refusal(work.history.show(first, QUERY));
    assertMatch(message, told);
    assertMatch(await refusal(work.history.diff({ from: first, ...QUERY })), told);
    const { value } = await work.history.restore(RESTORE, { ...QUERY, commit: first });
    assertEquals(value.files, []);
    assertEquals(value.skipped.map(({ path }) => path), ["a", "b"]);
    assertEquals(value.skipped.every(({ reason }) => told.test(`UNSUPPORTED: ${reason}`)), true);
    assertEquals([Deno.readTextFileSync(path("a")), Deno.readTextFileSync(path("b"))], ["4\n", "b3\n"]);

    const [, one = ""] = /"git (cat-file -e [0-9a-f]+)"/.exec(message) ?? [];
    work.git(...one.split(" "));
    assertMatch((await work.history.show(first, QUERY)).diff, /^\+b1$/m);
    const [, all = ""] = /"git (fetch [^"]+)"/.exec(message) ?? [];
    work.git(...all.split(" "));
    const restored = await work.history.restore(RESTORE, { ...QUERY, commit: first });
    assertEquals([restored.value.count, Deno.readTextFileSync(path("b"))], [2, "b1\n"]);
    work.judge();
    work.history.close();
  },
);
