/**
 * Creates a new repository that git accepts as its own. The attributes keep a `.gitattributes` in the workspace
 * from changing what is committed: files go in byte for byte.
 */
import { PaddockError } from "../../base/errors.ts";
import { makeFolder, syncFile } from "../../confine/confined_fs.ts";
import type { ConfinedRoot } from "../../confine/resolve_path.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { NO_CONVERSIONS } from "./files/conversions.ts";
import { GitFolder } from "./git/git_folder.ts";
import { settleGit } from "./git/settle_git.ts";

const FOLDERS = ["objects/info", "objects/pack", "refs/heads", "refs/tags", "logs/refs/heads", "info", "mcp"];

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = ${Deno.build.os !== "windows"}
\tbare = false
\tlogallrefupdates = true
\tautocrlf = false
`;

/**
 * What git itself finds out about names when it creates a repository, so that it does not take one file for
 * two.
 */
function namesConfig(git: GitFolder): string {
  const ignored = git.has("OBJECTS/INFO") ? "\tignorecase = true\n" : "";
  return composesAccents(git) ? `${ignored}\tprecomposeunicode = true\n` : ignored;
}

function composesAccents(git: GitFolder): boolean {
  const [one, two] = ["mcp/\u00e4.new", "mcp/a\u0308.new"];
  try {
    git.recreate(one, new Uint8Array(), { mode: 0o600 }).close();
    const isOne = git.has(two);
    git.remove(one);
    return isOne;
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    return false; // the file system supports neither name
  }
}

/** HEAD comes last: without it git sees no repository, so a crash leaves none or a complete one. */
const FILES: readonly [path: string, content: string][] = [
  ["config", CONFIG],
  ["info/attributes", `${NO_CONVERSIONS}\n`],
  ["info/exclude", ".paddock-*.tmp\n"],
  ["logs/refs/heads/main", ""],
  ["logs/HEAD", ""],
  ["HEAD", "ref: refs/heads/main\n"],
];

/** Creates a repository without a commit, on branch main, in a folder that has none. */
export async function initHistory(root: ConfinedRoot): Promise<void> {
  const git = new GitFolder(root);
  if (git.statItself() !== undefined && git.stat("HEAD") !== undefined) {
    throw new PaddockError("ALREADY_EXISTS", "the workspace has a git repository already");
  }
  makeFolder(git.itself());
  git.verify();
  for (const folder of FOLDERS) git.makeFolder(folder);
  for (const [path, content] of FILES) {
    git.remove(path);
    const whole = path === "config" ? content + namesConfig(git) : content;
    const file = git.create(path, encodeUtf8(whole), { mode: 0o644 });
    try {
      await syncFile(file);
    } finally {
      file.close();
    }
  }
  await settleGit(git, ["refs", "info"]);
}
