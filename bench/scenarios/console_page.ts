// The console's page in a real browser, over a root with 10,000 changes: the first view, the longest task while
// scrolling through all of them, and an agent's change appearing on the screen.

import { join } from "@std/path/join";
import type { Page } from "../../tests/packages/browser.ts";
import type { ConsoleProcess } from "../../tests/support/console.ts";
import { sampleText } from "../fixtures.ts";
import { longestTask } from "../longest_task.ts";
import { paddock } from "../peers.ts";
import type { Figures, Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { StdioClient } from "../stdio_client.ts";

const CHANGES = 10_000;
const WHEEL_PX = 3_000;
const VIEWPORT = { width: 1360, height: 820 };

/** Runs in the page before anything else does. */
const WATCH = `
  new MutationObserver((_, observer) => {
    if (document.querySelector("[data-change-id]") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => globalThis.firstView = performance.now());
  }).observe(document, { childList: true, subtree: true });
`;

export const consolePage: Scenario = {
  name: "console-page",
  rounds: 3,
  onlyByName: true,
  rows: [
    { key: "first", label: "first view of 10,000 changes", unit: "ms", limit: 1_000 },
    { key: "longest", label: "longest task, scrolling through them", unit: "ms", limit: 200 },
    { key: "processor", label: "the same, in processor time", unit: "ms", limit: 200 },
    { key: "appears", label: "an agent's change appears on the screen", unit: "ms", limit: 1_000 },
  ],
  note: "in Chromium, without a window; tasks by its trace",
  async round(session) {
    if (session.server.side === "peer") return {};
    const stage = await session.kept("stage", () => makeStage(session));
    return await stage.look();
  },
};

interface BenchStage extends AsyncDisposable {
  look(): Promise<Figures>;
}

async function makeStage(session: Session): Promise<BenchStage> {
  const { TestBrowser } = await import("../../tests/support/browser.ts");
  const { ConsoleProcess } = await import("../../tests/support/console.ts");
  const undoDir = `--undo-dir=${join(session.dir, "..", "undo")}`;
  const { command, args } = paddock().launch(session.dir);
  const agent = session.spawn({ command, args: [...args, undoDir] });
  await agent.initialize();
  for (let i = 0; i < CHANGES; i++) await write(agent, i);
  const viewed = new ConsoleProcess({ args: [session.dir, undoDir] });
  const addresses = addressesOf(viewed);
  const browser = await TestBrowser.start();
  let next = CHANGES;
  return {
    async look() {
      await using context = await browser.context({ viewport: VIEWPORT });
      await context.context.addInitScript(WATCH);
      const page = await context.page((await addresses.next()).value);
      await page.locator("[data-change-id]").first().waitFor();
      const first = Number(await page.evaluate("globalThis.firstView"));
      await page.locator(".live.is-live").waitFor();
      const start = performance.now();
      const id = await write(agent, next++);
      await page.locator(`[data-change-id="${id}"]`).waitFor();
      const appears = performance.now() - start;
      const { wallMs, processorMs } = await longestTask(page, () => scrollToEnd(page));
      return { first, appears, longest: wallMs, processor: processorMs };
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await viewed[Symbol.asyncDispose]();
      await agent.close();
    },
  };
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2);
  const isAtEnd = () => page.locator(".list-foot").getByText(/^[\d,]+ changes$/).count();
  for (let i = 0; i < 1_000 && await isAtEnd() === 0; i++) await page.mouse.wheel(0, WHEEL_PX);
  if (await isAtEnd() === 0) throw new Error("the end of the timeline was not reached");
}

/** Returns the id of the change. */
async function write(agent: StdioClient, n: number): Promise<string> {
  const result = await agent.request("tools/call", {
    name: "write_file",
    arguments: { root: "field", path: `file${n % 50}.txt`, content: sampleText(1024, n) },
  }) as { structuredContent?: { change?: string } };
  return result.structuredContent?.change ?? "none";
}

/** The address that is printed first, then one for every Enter. */
async function* addressesOf(viewed: ConsoleProcess): AsyncGenerator<string, never> {
  for (;;) {
    yield await viewed.line();
    await viewed.enter();
  }
}
