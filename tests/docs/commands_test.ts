/**
 * Every command in the README and the guides, run from its text. A block that cannot be run here has a comment right
 * above it:
 *
 *     <!-- not run: the reason -->
 *     <!-- run by: the test that runs it -->
 * <!-- while running: the server that it asks -->
 *
 * A server's answer is in the block after it.
 */
import { assert, assertEquals } from "@std/assert";
import { needs } from "../support/needs.ts";
import { REPOSITORY } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import { CommandRunner } from "./command_runner.ts";
import { type Block, blocks, pages } from "./pages.ts";

const TASKS: Record<string, string> = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.json`)).tasks;
const TASK = /^npx -y deno@2\.9\.6 task (\S+)$/;

const GUIDES = pages().filter(({ path }) => path === "README.md" || path.startsWith("docs/guides/"));
const BLOCKS = GUIDES.flatMap(blocks);

/** The commands of a block, without their comments. */
function commands({ text }: Block): string[] {
  return text.replaceAll("\\\n", " ").split("\n").map((line) => line.replace(/ +#.*/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function reason({ comment }: Block, kind: string): string | undefined {
  return comment?.startsWith(`${kind}: `) ? comment.slice(kind.length + 2) : undefined;
}

Deno.test(
  { ...needs("Unix", "a run without coverage")("every command of the README and the guides runs"), fn: run },
);

async function run(t: Deno.TestContext): Promise<void> {
  using folder = tempFolder();
  const runner = await CommandRunner.start(folder);
  for (const { language, text } of BLOCKS) {
    const [, name] = /^# (\S+\.yaml)\n/.exec(text) ?? [];
    if (language === "yaml" && name !== undefined) runner.write(name, text);
  }
  for (const [i, block] of BLOCKS.entries()) {
    if (block.language !== "sh") continue;
    if (reason(block, "not run") !== undefined || reason(block, "run by") !== undefined) continue;
    const server = reason(block, "while running");
    await using _running = server === undefined ? undefined : await runner.serve(server);
    for (const command of commands(block)) {
      const [, task] = TASK.exec(command) ?? [];
      if (task === "test") continue; // which runs this
      const line = task === undefined ? command : TASKS[task];
      assert(line !== undefined, `${block.page}: there is no task ${task}`);
      const fn = async () => {
        const { code, output } = await runner.run(line, task === undefined ? undefined : REPOSITORY);
        assertEquals(code, 0, output);
        if (server !== undefined) assertEquals(JSON.parse(output), JSON.parse(BLOCKS[i + 1]?.text ?? ""));
      };
      const named = command.startsWith("curl ") ? needs("curl") : needs();
      await t.step({ ...named(`${block.page}: ${command}`), fn });
    }
  }
}

Deno.test("a block that is not run says why, or names the test that runs it", () => {
  const shell = BLOCKS.filter(({ language }) => language === "sh");
  assert(shell.length > 20);
  for (const block of shell) {
    const reasons = ["not run", "run by", "while running"].map((kind) => reason(block, kind));
    assert(block.comment === undefined || reasons.some(Boolean), `${block.page}: ${block.comment}`);
    const [, test] = reasons;
    if (test !== undefined) assert(Deno.statSync(REPOSITORY + test).isFile);
  }
});

Deno.test("commands are in code blocks with a language, where they are run", () => {
  const indented = GUIDES.flatMap(({ path, text }) =>
    [...text.matchAll(/^ {4}((?:paddock|npx|deno|curl|docker) .*)$/gm)].map(([, line]) => `${path}: ${line}`)
  );
  assertEquals(indented, []);
});
