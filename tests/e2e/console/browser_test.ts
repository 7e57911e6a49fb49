/** The console's page in a real browser, which all cases share, with real processes behind it. */
import { TestBrowser } from "../../support/browser.ts";
import { needs } from "../../support/needs.ts";
import { everyViewIsForAll } from "./accessible.ts";
import { hostileIsText, violationsAreNoticed } from "./hostile.ts";
import { Stage } from "./stage.ts";
import {
  conflictIsExplained,
  keyboardIsEnough,
  twoBrowsersAgree,
  undoBringsBack,
  versionsAreRestored,
} from "./undoing.ts";
import { changeAppears, filtersHold, restartIsSurvived, terminalIsSeen } from "./watching.ts";

const CASES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "an agent's change in another process appears without reload, with its diff": changeAppears,
  "Undo shows what it would do, then brings the file back, and can be undone": undoBringsBack,
  "a conflict is explained, and changes nothing": conflictIsExplained,
  "a version of a file is restored from its history": versionsAreRestored,
  "filters hold back what does not fit, and stay in the address bar": filtersHold,
  "the keyboard is enough": keyboardIsEnough,
  "two browsers see the same, and what was previewed is what happens": twoBrowsersAgree,
  "a change by `paddock undo` in a terminal appears": terminalIsSeen,
  "a page goes on after the console was restarted under it": restartIsSurvived,
  "forty hostile names and contents are text, and break nothing": hostileIsText,
  "what may not happen would be noticed": violationsAreNoticed,
  "axe finds nothing serious on any view, light or dark, and each fits 360 to 2,560 pixels":
    everyViewIsForAll,
};

Deno.test({
  ...needs("a browser")("the console's page"),
  sanitizeOps: false,
  sanitizeResources: false, // the driver of the browser keeps some
  fn: async (t) => {
    await using browser = await TestBrowser.start();
    await using stage = await Stage.open(browser);
    for (const [name, run] of Object.entries(CASES)) await t.step(name, () => run(stage));
  },
});
