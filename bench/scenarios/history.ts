// A write that is a commit, in workspaces of three sizes, against `git add` and `git commit` by the git program;
// and the history of one path among 10,000 commits against `git log`. Both sides have a repository of their own
// with the same content. paddock is called over stdio, and has everything on disk (fsync) before it answers.

import { join } from "@std/path/join";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { StdioClient } from "../stdio_client.ts";

const SIZES = [100, 5_000, 20_000] as const;
const WRITES = 10;
const PER_FOLDER = 100;
const COMMITS = 10_000;
/** Changed by every hundredth commit, and by five of all. */
const OFTEN = "often.txt";
const RARELY = "deep/er/rarely.txt";

export const history: Scenario = {
  name: "history",
  rounds: 7,
  peer: "git",
  rows: [
    { key: "write100", label: "write + commit, 100 files", unit: "ms", target: 0.33 },
    { key: "write5000", label: "write + commit, 5,000 files", unit: "ms", target: 0.15 },
    { key: "write20000", label: "write + commit, 20,000 files", unit: "ms", target: 0.1 },
    { key: "often", label: "20 commits of a path that 100 of 10,000 touch", unit: "ms", target: 1 },
    { key: "rarely", label: "all 5 commits of a path among 10,000", unit: "ms", target: 1 },
  ],
  note:
    "git's time is that of two programs started one after the other, which is how a tool that runs git would do " +
    "it, and it does not fsync the objects; the histories of 10,000 commits are packed and were not made by paddock",
  prepare(dir) {
    for (const side of ["paddock", "peer"]) {
      for (const size of SIZES) prepareFiles(join(dir, `${side}-${size}`), size);
      prepareCommits(join(dir, `${side}-log`));
    }
  },
  async verify(session) {
    if (session.server.side === "peer") return;
    const client = await server(session);
    await write(client, { workspaceId: "paddock-100", path: "d0/f0.txt", content: "verify\n" });
    const folder = join(session.dir, "paddock-100");
    if (git(folder, "status", "--porcelain") !== "") throw new Error("git status is not clean after a write");
    for (const path of [OFTEN, RARELY]) {
      const found = await commitsOf(client, path);
      const expected = git(join(session.dir, "paddock-log"), "log", "-20", "--format=%H", "--", path);
      if (found !== expected.trim().split("\n").join(" ")) {
        throw new Error(`the history of ${path} differs from git's`);
      }
    }
  },
  async round(session) {
    const figures: Record<string, number> = {};
    const isPeer = session.server.side === "peer";
    const client = isPeer ? undefined : await server(session);
    for (const size of SIZES) {
      const id = `${session.server.side}-${size}`;
      figures[`write${size}`] = await timed(WRITES, async (i) => {
        const content = `${performance.now()} ${i}\n`;
        const path = `d${i}/f${i * PER_FOLDER}.txt`;
        if (client !== undefined) await write(client, { workspaceId: id, path, content });
        else commitByGit(join(session.dir, id), path, content);
      });
    }
    for (const [key, path] of [["often", OFTEN], ["rarely", RARELY]] as const) {
      figures[key] = await timed(3, async () => {
        if (client !== undefined) await commitsOf(client, path);
        else git(join(session.dir, "peer-log"), "log", "-20", "--", path);
      });
    }
    return figures;
  },
};

/** The mean time of some calls. */
async function timed(times: number, call: (i: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < times; i++) await call(i % Math.max(1, SIZES[0] / PER_FOLDER));
  return (performance.now() - start) / times;
}

function server(session: Session): Promise<StdioClient> {
  return session.kept("workspaces", async () => {
    const { command, args } = session.server.launch(session.dir);
    const flags = [`--workspaces-root=${session.dir}`, "--transport=stdio"];
    const client = session.spawn({ command, args: [...args.slice(0, -1), ...flags] });
    await client.initialize();
    return client;
  });
}

async function write(client: StdioClient, args: Record<string, string>): Promise<void> {
  await client.callTool({ name: "fs_write_file", arguments: args });
}

async function commitsOf(client: StdioClient, path: string): Promise<string> {
  const args = { workspaceId: "paddock-log", path, limit: 20 };
  const text = await client.callTool({ name: "fs_get_commit_history", arguments: args });
  const { log } = JSON.parse(text) as { log: { commit: string }[] };
  return log.map(({ commit }) => commit).join(" ");
}

function commitByGit(folder: string, path: string, content: string): void {
  Deno.writeTextFileSync(join(folder, path), content);
  git(folder, "add", "--", path);
  git(folder, "commit", "-q", "-m", `Write ${path}`);
}

const PERSON = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"];

function git(folder: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", { args: ["-C", folder, ...PERSON, ...args] })
    .outputSync();
  if (!success) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function prepareFiles(folder: string, size: number): void {
  Deno.mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  for (let i = 0; i < size; i++) {
    const inner = join(folder, `d${Math.floor(i / PER_FOLDER)}`);
    if (i % PER_FOLDER === 0) Deno.mkdirSync(inner);
    Deno.writeTextFileSync(join(inner, `f${i}.txt`), `file ${i}\n`);
  }
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "all");
}

/** Ten thousand commits on fifty files in ten folders, and the two paths that are queried. */
function prepareCommits(folder: string): void {
  Deno.mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  const lines: string[] = [];
  for (let i = 1; i <= COMMITS; i++) {
    const path = i % 2_000 === 7 ? RARELY : i % 100 === 1 ? OFTEN : `folder${i % 10}/file${i % 50}.txt`;
    const content = `content ${i} of ${path}\n`;
    lines.push(
      `commit refs/heads/main\ncommitter bench <bench@localhost> ${1_700_000_000 + i} +0000`,
      `data ${`commit ${i}`.length}\ncommit ${i}`,
      `M 100644 inline ${path}\ndata ${content.length}\n${content}`,
    );
  }
  const input = join(folder, "..", "import");
  Deno.writeTextFileSync(input, lines.join("\n") + "\n");
  const script = 'git -C "$1" fast-import --quiet < "$2"';
  const { success } = new Deno.Command("sh", { args: ["-c", script, "sh", folder, input] }).outputSync();
  if (!success) throw new Error("git fast-import failed");
  Deno.removeSync(input);
  git(folder, "reset", "-q", "--hard");
}
