export { editFile } from "./edit_file.ts";
export { listFiles } from "./list_files.ts";
export { readFile } from "./read_file.ts";
