/** The tools of the classic surface, in the order in which the official server lists them. */
import { createDirectory } from "./create_directory.ts";
import { directoryTree } from "./directory_tree.ts";
import { editFile } from "./edit_file.ts";
import { getFileInfo } from "./get_file_info.ts";
import { listAllowedDirectories } from "./list_allowed_directories.ts";
import { listDirectory } from "./list_directory.ts";
import { listDirectoryWithSizes } from "./list_directory_with_sizes.ts";
import { moveFile } from "./move_file.ts";
import { readMediaFile } from "./read_media_file.ts";
import { readMultipleFiles } from "./read_multiple_files.ts";
import { readFile, readTextFile } from "./read_text_file.ts";
import { searchFiles } from "./search_files.ts";
import { writeFile } from "./write_file.ts";

export const TOOLS = [
  readFile,
  readTextFile,
  readMediaFile,
  readMultipleFiles,
  writeFile,
  editFile,
  createDirectory,
  listDirectory,
  listDirectoryWithSizes,
  directoryTree,
  moveFile,
  searchFiles,
  getFileInfo,
  listAllowedDirectories,
] as const;
