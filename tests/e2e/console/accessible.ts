/** Every view, asked about by axe, in light and in dark; and its width on small and large screens. */
import { assertEquals } from "@std/assert";
import type { Page } from "../../packages/browser.ts";
import axe from "../../packages/axe.ts";
import type { Person, Stage } from "./stage.ts";

interface View {
  readonly name: string;
  readonly search: string;
  readonly ready: string;
  act?(page: Page): Promise<void>;
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** All that is serious or worse; in dark only colours can differ. */
async function findings(page: Page, rules: "all" | "colours"): Promise<string[]> {
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  const only = rules === "all" ? "{}" : `{ runOnly: ["color-contrast"] }`;
  const { violations } = await page.evaluate(`axe.run(document, ${only})`) as { violations: Finding[] };
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap((found) =>
    found.nodes.map(({ html, failureSummary }) => `${found.id}: ${html.slice(0, 200)}\n${failureSummary}`)
  );
}

async function viewsOf(stage: Stage): Promise<View[]> {
  stage.base.write("app/views/a.txt", "one\ntwo\nthree\n");
  const claude = await stage.agent("claude-code");
  const cursor = await stage.agent("cursor");
  const first = await claude.write("views/a.txt", "one\n2 \u202e\nthree\n");
  const second = await cursor.write("views/a.txt", "one\nzwei\nthree\n");
  const undone = await claude.write("views/b.txt", "b\n");
  await stage.terminal("undo", `${stage.base.path}/app`, undone, "--yes");
  const open = (id: string) => `?change=${id}&in=root%3Aapp`;
  const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).click();
  return [
    { name: "timeline", search: "", ready: ".change-row" },
    { name: "change", search: open(second), ready: ".change-pane .diff" },
    { name: "undone change", search: open(undone), ready: ".is-undone-note" },
    {
      name: "side by side",
      search: open(first),
      ready: ".diff.is-split",
      act: (page) => page.keyboard.press("s"),
    },
    { name: "preview", search: open(second), ready: "dialog .diff", act: undo },
    { name: "conflict", search: open(first), ready: ".conflict", act: undo },
    { name: "file", search: "?view=file&source=root%3Aapp&path=views%2Fa.txt", ready: ".version-diff .diff" },
    { name: "overview", search: "?view=overview", ready: ".overview .plain-list li" },
    { name: "sources", search: "?view=sources", ready: ".sources tbody tr" },
    { name: "help", search: "", ready: "dialog .keys", act: (page) => page.keyboard.press("?") },
    { name: "nothing fits", search: "?path=nowhere", ready: ".empty" },
    { name: "not found", search: open("0000000000000000"), ready: ".change-pane .empty" },
  ];
}

async function show(person: Person, view: View): Promise<void> {
  const { page } = person;
  await person.goTo(view.search);
  if (view.act !== undefined) {
    await page.locator(view.search.includes("change=") ? ".change-pane .diff" : ".change-row").first()
      .waitFor();
    await view.act(page);
  }
  await page.locator(view.ready).first().waitFor();
}

export async function everyViewIsForAll(stage: Stage): Promise<void> {
  const views = await viewsOf(stage);
  await using person = await stage.person({ reducedMotion: "reduce" });
  const { page } = person;
  for (const view of views) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await show(person, view);
    assertEquals(await findings(page, "all"), [], `${view.name}, light`);
    await page.emulateMedia({ colorScheme: "dark" });
    assertEquals(await findings(page, "colours"), [], `${view.name}, dark`);
    for (const width of [360, 820, 2560]) {
      await page.setViewportSize({ width, height: 700 });
      const beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assertEquals(beyond, 0, `${view.name} at ${width} pixels`);
    }
    if (view.name === "side by side") await page.evaluate("localStorage.clear()");
  }
}
