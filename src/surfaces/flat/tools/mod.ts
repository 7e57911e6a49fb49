/** The MCP tools of the flat surface: one line each. */
export { editFile } from "./edit_file.ts";
export { listFiles } from "./list_files.ts";
export { readFile } from "./read_file.ts";
