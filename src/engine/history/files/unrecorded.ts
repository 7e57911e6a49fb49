/**
 * The files of a workspace whose repository has no commit yet: a person had them before paddock came. All but what
 * git is told to ignore, and what lies in a repository of its own.
 */
import { isGitFolder } from "../../../confine/git_folders.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { SearchTime } from "../../search/search_time.ts";
import { IgnoreScope } from "../../search/walk/ignore_scope.ts";
import { walk } from "../../search/walk/walk.ts";
import { type GitFolder } from "../git/git_folder.ts";
import { type Disk } from "./disk.ts";

export async function* unrecordedFiles(
  { git, disk }: { git: GitFolder; disk: Disk },
  signal: AbortSignal | undefined,
): AsyncGenerator<ConfinedPath> {
  const entries = walk(disk.at(""), {
    time: new SearchTime({ timeoutMs: Infinity, signal }),
    ignore: IgnoreScope.forRoot(git.readText("info/exclude")),
    mayEnter: ({ relative, absolute }) => !disk.has(`${relative}/.git`) && !isGitFolder(absolute),
  });
  for await (const { path, type } of entries) {
    if (type === "file" || type === "symlink") yield path;
  }
}
