/** Syncs the names in folders of `.git`, as far as the file system can (see ../settle.ts). */
import { syncFile } from "../../../confine/confined_fs.ts";
import { settle } from "../../settle.ts";
import type { GitFolder } from "./git_folder.ts";

export async function settleGit(git: GitFolder, folders: readonly string[]): Promise<void> {
  await Promise.all(folders.map((folder) => settle(git.at(folder), "the history was written")));
}

/** Syncs the content of files in `.git`, likewise. */
export async function syncFiles(files: readonly Deno.FsFile[]): Promise<void> {
  await Promise.all(files.map(syncFile));
}
