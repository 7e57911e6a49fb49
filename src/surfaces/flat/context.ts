/** What a tool of the flat surface gets besides its arguments. */
import type { Changing } from "../../engine/changing.ts";
import type { ToolCall } from "../../tools/tool.ts";
import type { FlatFolder } from "./folder.ts";

export interface FlatContext {
  readonly call: ToolCall;
  readonly folder: FlatFolder;
  readonly changing: Changing;
}
