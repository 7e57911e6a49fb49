/** Every view, checked by axe, in light and dark; and its width on small and large screens. */
import { assertEquals } from "@std/assert";
import type { Page } from "../../packages/browser.ts";
import axe from "../../packages/axe.ts";
import type { Stage } from "./stage.ts";

interface View {
  readonly name: string;
  readonly search: string;
  /** What is visible before `act`, and after it. */
  readonly ready: string;
  act?(page: Page): Promise<void>;
  readonly acted?: string;
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** All findings that are serious or worse; in dark only colours can differ. */
async function findings(page: Page, rules: "all" | "colours"): Promise<string[]> {
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  const only = rules === "all" ? "" : `runOnly: ["color-contrast"],`;
  const { violations } = await page.evaluate(
    `axe.run(document, { ${only} resultTypes: ["violations"], iframes: false })`,
  ) as { violations: Finding[] };
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap((found) =>
    found.nodes.map(({ html, failureSummary }) => `${found.id}: ${html.slice(0, 200)}\n${failureSummary}`)
  );
}

/** The current view is accessible: in light and dark, at any width. */
export async function isForAll(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  assertEquals(await findings(page, "all"), [], `${name}, light`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  assertEquals(await findings(page, "colours"), [], `${name}, dark`);
  const before = page.viewportSize();
  for (const width of [360, 820, 2560]) {
    await page.setViewportSize({ width, height: 700 });
    const beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals(beyond, 0, `${name} at ${width} pixels`);
  }
  if (before !== null) await page.setViewportSize(before);
}

async function viewsOf(stage: Stage): Promise<View[]> {
  stage.base.write("app/views/a.txt", "one\ntwo\nthree\n");
  const claude = await stage.agent("claude-code");
  const cursor = await stage.agent("cursor");
  const first = await claude.write("views/a.txt", "one\n2 \u202e\nthree\n");
  const second = await cursor.write("views/a.txt", "one\nzwei\nthree\n");
  const undone = await claude.write("views/b.txt", "b\n");
  await claude.change("undo", { root: "app", id: undone });
  const open = (id: string) => `?path=views%2F&change=${id}&in=root%3Aapp`;
  const pane = (id: string) => `.change-pane:has(.pane-id:text-is("${id}"))`;
  const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).click();
  const split = (page: Page) => page.keyboard.press("s");
  const help = (page: Page) => page.keyboard.press("?");
  return [
    { name: "timeline", search: "", ready: ".change-row" },
    { name: "help", search: "", ready: ".change-row", act: help, acted: "dialog .keys" },
    { name: "change", search: open(second), ready: `${pane(second)} .diff` },
    {
      name: "preview",
      search: open(second),
      ready: `${pane(second)} .diff`,
      act: undo,
      acted: "dialog .diff",
    },
    { name: "conflict", search: open(first), ready: `${pane(first)} .diff`, act: undo, acted: ".conflict" },
    {
      name: "side by side",
      search: open(first),
      ready: `${pane(first)} .diff`,
      act: split,
      acted: ".diff.is-split",
    },
    { name: "undone change", search: open(undone), ready: `${pane(undone)} .is-undone-note` },
    { name: "not found", search: open("0000000000000000"), ready: `${pane("0000000000000000")} .empty` },
    { name: "file", search: "?view=file&source=root%3Aapp&path=views%2Fa.txt", ready: ".version-diff .diff" },
    { name: "overview", search: "?view=overview", ready: ".overview .plain-list li" },
    { name: "sources", search: "?view=sources", ready: ".sources tbody tr" },
    { name: "nothing fits", search: "?path=nowhere", ready: ".list-pane .empty" },
  ];
}

export async function everyViewIsForAll(stage: Stage): Promise<void> {
  const views = await viewsOf(stage);
  await using person = await stage.person();
  const { page } = person;
  for (const { name, search, ready, act, acted = ready } of views) {
    await person.turnTo(search);
    await page.locator(ready).first().waitFor();
    await act?.(page);
    await page.locator(acted).first().waitFor();
    await isForAll(page, name);
    if (acted.includes("dialog") || acted === ".conflict") {
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
  }
}
