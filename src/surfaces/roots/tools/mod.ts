/** The tools of the roots surface: one line each, and nothing else anywhere. */
export { listRoots } from "./list_roots.ts";
export { listFolder } from "./list_folder.ts";
export { readFile } from "./read_file.ts";
export { writeFile } from "./write_file.ts";
export { statFile } from "./stat_file.ts";
