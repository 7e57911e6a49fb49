/**
 * Screenshots of the console's page: `deno task console:screenshots [FOLDER]` takes every view, narrow, wide and very
 * wide, light and dark, of a small project that agents work on, into FOLDER (by default a temporary one), and the two
 * that the documentation shows into docs/images/.
 */
import type { Page } from "../tests/packages/browser.ts";
import { TestBrowser } from "../tests/support/browser.ts";
import { ConsoleProcess } from "../tests/support/console.ts";
import { SessionClient } from "../tests/support/http_client.ts";
import { tempFolder } from "../tests/support/temp.ts";
import { makeProject, type Project } from "./console_project.ts";

interface View {
  readonly name: string;
  readonly search: (project: Project) => string;
  /** How the server answers requests for the timeline: not at all, with an error, or with nothing. */
  readonly changes?: "never" | "failure" | "none";
  act?(page: Page): Promise<void>;
  /** What must be visible before the picture is taken. */
  readonly ready: string;
}

const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).click();
const open = (id: string) => `?change=${id}&in=root%3Ashop`;
const ofWorkspace = (id: string) => `?source=workspace%3Anewsletter&change=${id}&in=workspace%3Anewsletter`;

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
  { name: "commit", search: ({ commit }) => ofWorkspace(commit), ready: ".change-pane .diff" },
  { name: "revert", search: ({ commit }) => ofWorkspace(commit), act: undo, ready: "dialog .diff" },
  { name: "sources", search: () => "?view=sources", ready: ".sources tbody tr" },
  { name: "overview", search: () => "?view=overview", ready: ".overview .plain-list li" },
  { name: "help", search: () => "", act: (page) => page.keyboard.press("?"), ready: "dialog .keys" },
  { name: "nothing_fits", search: () => "?path=nowhere&client=cursor", ready: ".empty" },
  { name: "gone", search: () => open("0000000000000000"), ready: ".change-pane .empty" },
  { name: "empty", search: () => "", changes: "none", ready: ".empty" },
  { name: "loading", search: () => "", changes: "never", ready: ".loading" },
  { name: "failed", search: () => "", changes: "failure", ready: ".empty" },
];

const SCREENS = {
  wide: { width: 1440, height: 860 },
  narrow: { width: 360, height: 740 },
  huge: { width: 2560, height: 1300 },
} as const;

const FAILURE = {
  error: {
    code: "UNAVAILABLE",
    message: "the undo store of root shop is damaged: file is not a database",
    conflict: null,
  },
};

/** Shown by docs/guides/console.md and the README. */
const KEPT: Readonly<Record<string, string>> = {
  "change wide light": "console.png",
  "undo wide dark": "console_undo.png",
};

/** A page on one kind of screen, in light or dark. */
class Screen {
  readonly #name: string;
  readonly #folder: string;
  readonly page: Page;

  constructor(page: Page, { name, folder }: { name: string; folder: string }) {
    this.page = page;
    this.#name = name;
    this.#folder = folder;
  }

  async take(view: string): Promise<void> {
    await this.page.waitForTimeout(200); // animations have ended
    const picture = await this.page.screenshot();
    const name = `${view} ${this.#name}`;
    Deno.writeFileSync(`${this.#folder}/${name.replaceAll(" ", "_")}.png`, picture);
    const kept = KEPT[name];
    if (kept !== undefined) Deno.writeFileSync(new URL(`images/${kept}`, import.meta.url), picture);
  }

  async show(view: View, project: Project): Promise<void> {
    const { page } = this;
    await page.unroute("**/api/changes*");
    if (view.changes !== undefined) {
      const body = view.changes === "none" ? { changes: [], next: null, unavailable: [] } : FAILURE;
      const status = view.changes === "none" ? 200 : 503;
      await page.route(
        "**/api/changes*",
        (route) => view.changes === "never" ? undefined : route.fulfill({ status, json: body }),
      );
    }
    await page.goto(new URL(`/console${view.search(project)}`, page.url()).href);
    await page.locator(".live.is-live").waitFor();
    if (view.act !== undefined) {
      const before = view.search(project) === "" ? ".change-row" : ".change-pane .file";
      await page.locator(before).first().waitFor();
      await view.act(page);
    }
    await page.locator(view.ready).first().waitFor();
    await this.take(view.name);
    if (view.name === "side_by_side") await page.evaluate("localStorage.clear()");
  }
}

/** Every kind of screen, with the addresses that a console prints. */
async function* screensOf(
  browser: TestBrowser,
  viewed: ConsoleProcess,
  folder: string,
): AsyncGenerator<Screen> {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.context({ viewport, colorScheme, reducedMotion: "reduce" });
      const address = viewed.line();
      await viewed.enter();
      const page = await context.page(await address);
      yield new Screen(page, { name: `${screen} ${colorScheme}`, folder });
      if (context.faults.length > 0) throw new Error(context.faults.join("\n"));
    }
  }
}

/** The overview of a server, after some calls. */
async function takeServer(browser: TestBrowser, project: Project, folder: string): Promise<void> {
  await using server = new ConsoleProcess({ isServer: true, args: project.roots });
  await server.line(); // it listens
  const agent = await SessionClient.begin(server.url);
  for (const path of ["src/cart.ts", "src/item.ts", "../../.ssh/id_ed25519", "src/basket.ts", "README.md"]) {
    await agent.call("read_file", { root: "shop", path });
  }
  await agent.call("grep", { root: "shop", pattern: "voucher" });
  for await (const screen of screensOf(browser, server, folder)) {
    await screen.page.goto(new URL("/console?view=overview", screen.page.url()).href);
    await screen.page.locator(".overview tbody tr").first().waitFor();
    await screen.take("server");
  }
}

async function main(folder: string): Promise<void> {
  using base = tempFolder();
  const project = await makeProject(base);
  await using browser = await TestBrowser.start();
  await takeServer(browser, project, folder);
  const args = [...project.roots, project.workspaces];
  const viewed = new ConsoleProcess({ args });
  const screens: Screen[] = [];
  for await (const screen of screensOf(browser, viewed, folder)) {
    screens.push(screen);
    for (const view of VIEWS) await screen.show(view, project);
    await screen.page.unroute("**/api/changes*");
    await screen.page.goto(new URL("/console", screen.page.url()).href);
    await screen.page.locator(".change-row").first().waitFor();
  }
  await viewed[Symbol.asyncDispose]();
  for (const screen of screens) {
    await screen.page.locator(".banner").waitFor();
    await screen.take("lost");
  }
  await using _again = new ConsoleProcess({ args, port: viewed.port });
  for (const screen of screens) {
    await screen.page.locator(".ended").waitFor();
    await screen.take("ended");
  }
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? Deno.makeTempDirSync({ prefix: "console-" });
  Deno.mkdirSync(folder, { recursive: true });
  await main(folder);
  console.log(`${folder}: ${[...Deno.readDirSync(folder)].length} pictures`);
}
