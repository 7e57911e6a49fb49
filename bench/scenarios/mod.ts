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
import { multiEdit } from "./multi_edit.ts";
import { read } from "./read.ts";
import { roots } from "./roots.ts";
import { search, searchSmall } from "./search.ts";
import { startup } from "./startup.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

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
  flat,
  flatMemory,
  history,
  search,
  searchSmall,
  consolePage,
];
