import * as s from "../../../tools/schema/mod.ts";
import { defineTextAnswer } from "../define_tool.ts";

export const listAllowedDirectories = defineTextAnswer({
  name: "list_allowed_directories",
  title: "List Allowed Directories",
  description: "Returns the list of directories that this server is allowed to access. " +
    "Subdirectories within these allowed directories are also accessible. " +
    "Use this to understand which directories and their nested paths are available " +
    "before trying to access files.",
  access: "meta",
  input: s.object({}),
  run: (_, { allowed }) => `Allowed directories:\n${allowed.join("\n")}`,
});
