// The scenarios, in the order they run.

import type { Scenario } from "../scenario.ts";
import { consoleScenario } from "./console.ts";
import { consolePage } from "./console_page.ts";
import { fence } from "./fence.ts";
import { flat } from "./flat.ts";
import { flatMemory } from "./flat_memory.ts";
import { history } from "./history.ts";
import { http } from "./http.ts";
import { list } from "./list.ts";
import { memory } from "./memory.ts";
import { multiEdit } from "./multi_edit.ts";
import { read } from "./read.ts";
import { roots } from "./roots.ts";
import { search, searchSmall } from "./search.ts";
import { startup } from "./startup.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

/** What can be named together. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  calls: ["startup", "read", "list", "write", "roots", "multi_edit", "http", "memory"],
  surfaces: ["flat", "flat-memory", "history"],
};

export const scenarios: readonly Scenario[] = [
  startup,
  fence,
  read,
  list,
  write,
  undo,
  consoleScenario,
  roots,
  multiEdit,
  http,
  memory,
  flat,
  flatMemory,
  history,
  search,
  searchSmall,
  consolePage,
];
