import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../../../src/base/errors.ts";
import type { Step } from "../../../../src/engine/history/mod.ts";
import { withGit } from "../../../support/needs.ts";
import { gitLog, newWorkspace, type Workspace } from "../workspace.ts";

/** Few names, so that they collide; some that sort oddly next to each other, as files and as folders. */
const NAMES = ["a", "a.b", "a0", "ü", "x y"];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) =>
  names.join("/")
);
/** Similar enough for renames to be found, and different enough for some not to be. */
const content = fc.array(fc.constantFrom("one", "two", "three", "four"), { maxLength: 6 })
  .map((lines) => lines.map((line) => `${line} of the lines\n`).join(""));

type Act =
  | { act: "put" | "outside"; path: string; content: string }
  | { act: "remove" | "folder" | "outside remove"; path: string }
  | { act: "move"; path: string; to: string }
  | { act: "gc" | "commit" | "restore" };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant("put" as const), path, content }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("move" as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("remove" as const, "folder" as const), path }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("outside" as const), path, content }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("outside remove" as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom("gc" as const, "commit" as const, "restore" as const) }),
  },
);

/** What a person does without paddock; what is impossible there is skipped. */
function actOutside(work: Workspace, what: Act): void {
  try {
    if (what.act === "outside") work.write(what.path, what.content);
    if (what.act === "outside remove") Deno.removeSync(`${work.path}/${what.path}`, { recursive: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error) && !(error instanceof Deno.errors.NotFound)) throw error;
  }
  if (what.act === "gc") work.git("gc", "-q", "--prune=now");
  if (what.act === "commit") {
    work.git("add", "-A");
    work.git("commit", "-q", "--allow-empty", "-m", "theirs");
  }
}

function stepsOf(work: Workspace, what: Act): Step[] {
  switch (what.act) {
    case "put":
      return [{ kind: "put", path: work.at(what.path), bytes: new TextEncoder().encode(what.content) }];
    case "remove":
    case "folder":
      return [{ kind: what.act, path: work.at(what.path) }];
    case "move":
      return [{ kind: "move", from: work.at(what.path), to: work.at(what.to) }];
    default:
      return [];
  }
}

async function perform(work: Workspace, what: Act): Promise<void> {
  actOutside(work, what);
  try {
    const steps = stepsOf(work, what);
    if (steps.length > 0) await work.change(...steps);
    if (what.act === "restore") {
      const request = { tool: "restore", client: undefined, waitMs: 5_000, umask: 0o022 };
      const target = work.tryGit("rev-parse", "HEAD~1").trim();
      await work.history.restore(request, { commit: "HEAD~1", maxFiles: 10 });
      assertEquals(work.git("diff", "--name-status", target, "HEAD"), "", "restored");
    }
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code === "INTERNAL") throw error;
  }
}

/** Lines of `git status` that only paddock could have caused: a staged change. */
function stagedBy(status: string): string[] {
  return status.split("\n").filter((line) => /^[^ ?]/.test(line));
}

Deno.test(
  withGit("change, restore and log agree with git, whatever tools and a person do"),
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
        using work = await newWorkspace();
        const outside = new Set<string>();
        for (const what of acts) {
          await perform(work, what);
          if (what.act === "outside" || what.act === "outside remove") outside.add(what.path);
        }
        const status = work.git("-c", "core.quotePath=false", "status", "--porcelain");
        assertEquals(stagedBy(status), []);
        if (outside.size === 0) assertEquals(status, "");
        assertEquals(work.git("fsck", "--strict", "--no-dangling"), "");
        // Once a person has added everything that is left, git finds that the commit equals the disk.
        work.git("add", "-A");
        work.git("commit", "-q", "--allow-empty", "-m", "all");
        assertEquals(work.git("status", "--porcelain"), "");
        await agreeOnHistory(work);
      }),
      { numRuns: 15 },
    );
  },
);

async function agreeOnHistory(work: Workspace): Promise<void> {
  const commits = async (path?: string) => {
    const page = await work.history.log({ limit: 1_000, ...(path !== undefined && { path }) });
    return page.entries.map(({ commit }) => commit);
  };
  assertEquals(await commits(), gitLog(work));
  const files = work.git("ls-files", "-z").split("\0").filter((name) => name !== "");
  for (const file of files.slice(0, 3)) {
    assertEquals(await commits(file), gitLog(work, "--follow", "--", `:(literal)${file}`), file);
  }
}
