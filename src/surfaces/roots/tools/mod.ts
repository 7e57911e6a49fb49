/** The tools of the roots surface: one line each, and nothing else anywhere. */
export { copy } from "./copy.ts";
export { createFolder } from "./create_folder.ts";
export { glob } from "./glob.ts";
export { grep } from "./grep.ts";
export { hashFile } from "./hash_file.ts";
export { listFolder } from "./list_folder.ts";
export { listRoots } from "./list_roots.ts";
export { move } from "./move.ts";
export { multiEditTextFile } from "./multi_edit_text_file.ts";
export { patchFile } from "./patch_file.ts";
export { permissionsFile } from "./permissions_file.ts";
export { readFile } from "./read_file.ts";
export { removeFile } from "./remove_file.ts";
export { removeFolder } from "./remove_folder.ts";
export { statFile } from "./stat_file.ts";
export { writeFile } from "./write_file.ts";
