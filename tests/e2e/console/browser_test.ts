/** The console's page in a real browser that all cases share, with real processes behind it. */
import { needs } from "../../support/needs.ts";
import { everyViewIsForAll } from "./accessible.ts";
import { hostileIsText, violationsAreNoticed } from "./hostile.ts";
import { callsAreSeen } from "./live.ts";
import { Stage } from "./stage.ts";
import {
  conflictIsExplained,
  keyboardIsEnough,
  twoBrowsersAgree,
  undoBringsBack,
  versionsAreRestored,
} from "./undoing.ts";
import {
  changeAppears,
  eventsOutrunAnswers,
  filtersHold,
  restartIsSurvived,
  terminalIsSeen,
} from "./watching.ts";
import { workspacesAreSeen } from "./workspaces.ts";

/**
 * One after the other: only visible rows are in the page, and the changes of one case would push out those of
 * another.
 */
const CASES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "an agent's change in another process appears without reload, with its diff": changeAppears,
  "filters hide what does not match, and stay in the address bar": filtersHold,
  "a change stays when an older answer comes after it": eventsOutrunAnswers,
  "Undo shows what it would do, then restores the file, and can be undone": undoBringsBack,
  "a conflict is explained, and changes nothing": conflictIsExplained,
  "a version of a file is restored from its history": versionsAreRestored,
  "two browsers see the same, and what was previewed is what happens": twoBrowsersAgree,
  "a change by `paddock undo` in a terminal appears": terminalIsSeen,
  "workspaces are shown with their history and diffs, and commits are reverted": workspacesAreSeen,
  "a server's calls, errors and refusals appear in its overview": callsAreSeen,
  "the keyboard is enough": keyboardIsEnough,
  "forty hostile names and contents are text, and break nothing": hostileIsText,
  "the forbidden effects would be noticed": violationsAreNoticed,
  "axe finds nothing serious on any view, light or dark, and each fits 360 to 2,560 pixels":
    everyViewIsForAll,
  "a page continues after its console was restarted": restartIsSurvived,
};

Deno.test({
  ...needs("a browser")("the console's page"),
  sanitizeOps: false,
  sanitizeResources: false, // the browser driver keeps some
  fn: async (t) => {
    await using stage = new Stage();
    for (const [name, run] of Object.entries(CASES)) await t.step(name, () => run(stage));
  },
});
