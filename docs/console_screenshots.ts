/**
 * Pictures of the console's page: `deno task console:screenshots [FOLDER]` takes every view, wide and narrow, light and
 * dark, of a small project that agents work on, into FOLDER (a temporary one otherwise), and the two that the
 * documentation shows into docs/.
 */
import type { Page } from "../tests/packages/browser.ts";
import { TestBrowser } from "../tests/support/browser.ts";
import { ConsoleProcess } from "../tests/support/console.ts";
import { tempFolder } from "../tests/support/temp.ts";
import { makeProject, type Project } from "./console_project.ts";

interface View {
  readonly name: string;
  readonly search: (project: Project) => string;
  act?(page: Page): Promise<void>;
  /** What has to be there before the picture is taken. */
  readonly ready: string;
}

const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).click();
const open = (id: string) => `?change=${id}&in=root%3Ashop`;

const VIEWS: readonly View[] = [
  { name: "timeline", search: () => "", ready: ".change-row" },
  { name: "change", search: ({ edited }) => open(edited), ready: ".change-pane .diff" },
  {
    name: "side_by_side",
    search: ({ edited }) => open(edited),
    act: (page) => page.keyboard.press("s"),
    ready: ".change-pane .diff",
  },
  { name: "image", search: ({ image }) => open(image), ready: ".images img" },
  { name: "undo", search: ({ edited }) => open(edited), act: undo, ready: "dialog .diff" },
  { name: "conflict", search: ({ conflicting }) => open(conflicting), act: undo, ready: ".conflict" },
  {
    name: "file",
    search: () => "?view=file&source=root%3Ashop&path=src%2Fcart.ts",
    ready: ".version-diff .diff",
  },
  { name: "sources", search: () => "?view=sources", ready: ".sources tbody tr" },
  { name: "overview", search: () => "?view=overview", ready: ".overview .plain-list li" },
  { name: "help", search: () => "", act: (page) => page.keyboard.press("?"), ready: "dialog .keys" },
  { name: "nothing", search: () => "?path=nowhere", ready: ".empty" },
];

const SCREENS = { wide: { width: 1360, height: 820 }, narrow: { width: 390, height: 780 } } as const;

/** Shown by docs/guides/console.md and the README. */
const KEPT: Readonly<Record<string, string>> = {
  "change wide light": "console.png",
  "undo wide dark": "console_undo.png",
};

async function take(page: Page, { view, project }: { view: View; project: Project }): Promise<void> {
  await page.goto(new URL(`/console${view.search(project)}`, page.url()).href);
  await page.locator(".live.is-live").waitFor();
  if (view.act !== undefined) {
    await page.locator(view.search(project) === "" ? ".change-row" : ".change-pane .file").first().waitFor();
    await view.act(page);
  }
  await page.locator(view.ready).first().waitFor();
  await page.waitForTimeout(300);
}

async function main(folder: string): Promise<void> {
  using base = tempFolder();
  const project = await makeProject(base);
  await using viewed = new ConsoleProcess({ args: project.args });
  await using browser = await TestBrowser.start();
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      await using context = await browser.context({ viewport, colorScheme, reducedMotion: "reduce" });
      if (screen !== "wide" || colorScheme !== "light") await viewed.enter();
      const page = await context.page(await viewed.line());
      for (const view of VIEWS) {
        await take(page, { view, project });
        const name = `${view.name} ${screen} ${colorScheme}`;
        const picture = await page.screenshot();
        Deno.writeFileSync(`${folder}/${name.replaceAll(" ", "_")}.png`, picture);
        const kept = KEPT[name];
        if (kept !== undefined) Deno.writeFileSync(new URL(`images/${kept}`, import.meta.url), picture);
        if (view.name === "side_by_side") await page.evaluate("localStorage.clear()");
      }
      if (context.faults.length > 0) throw new Error(context.faults.join("\n"));
    }
  }
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? Deno.makeTempDirSync({ prefix: "console-" });
  Deno.mkdirSync(folder, { recursive: true });
  await main(folder);
  console.log(`${folder}: ${[...Deno.readDirSync(folder)].length} pictures`);
}
