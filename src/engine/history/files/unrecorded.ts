/**
 * The files of a workspace whose repository has no commit yet, because a person had them before paddock came: all
 * except those git ignores and those in a nested repository.
 */
import { isGitFolder } from "../../../confine/git_folders.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { SearchTime } from "../../search/search_time.ts";
import { IgnoreScope } from "../../search/walk/ignore_scope.ts";
import { walk } from "../../search/walk/walk.ts";
import type { GitFolder } from "../git/git_folder.ts";
import type { Disk } from "./disk.ts";

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
