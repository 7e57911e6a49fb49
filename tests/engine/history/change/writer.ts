/**
 * A process that changes a workspace, for tests with several of them: a number of writes, each to a separate file,
 * printing the commit of each; or one that kills itself at a given step, without a chance to clean up.
 */
import { openHistory, ReplacedFiles } from "../../../../src/engine/history/mod.ts";
import { resolvePath } from "../../../../src/confine/resolve_path.ts";

const [path = "", name = "", count = "1", deadly = ""] = Deno.args;
const root = { name: "workspace", path, git: "hidden", nested: [] } as const;
const history = openHistory(root, {
  idleMs: 50, // as the server does
  replaced: new ReplacedFiles(),
  onStep: (step) => {
    if (step === deadly) Deno.kill(Deno.pid, "SIGKILL");
  },
});
for (let i = 0; i < Number(count); i++) {
  const { commit } = await history.change(
    { tool: "write_file", client: name, waitMs: 60_000, umask: 0o022 },
    () => ({
      summary: `Write ${name} ${i}`,
      steps: [
        {
          kind: "put",
          path: resolvePath(root, `${name}/${i % 5}.txt`),
          bytes: new TextEncoder().encode(`${i}\n`),
        },
      ],
      value: null,
    }),
  );
  console.log(commit);
}
