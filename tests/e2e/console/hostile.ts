/** What agents write is shown as text, whatever it says. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "../../packages/browser.ts";
import { asContent, asName, HOSTILE } from "./hostile_names.ts";
import type { Stage } from "./stage.ts";

/** Elements that the page never creates, and scripts that are not its own. */
const FOREIGN = `document.querySelectorAll(
  "script:not([src='/console/page.js']), iframe, object, embed, form, style, base, [onerror], [onload], [onfocus], " +
  "img[src='x'], link:not([href^='/console/']), a[href^='javascript:']").length`;

/** A diff, or why there is none: a file of a megabyte may be too large for one. */
const SHOWN = ":is(.diff .line, .no-diff)";

const OVERFLOWS =
  "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight";

async function isHarmless(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(`({ foreign: ${FOREIGN}, overflows: ${OVERFLOWS} })`);
  assertEquals(found, { foreign: 0, overflows: false }, what);
}

export async function hostileIsText(stage: Stage): Promise<void> {
  const agent = await stage.agent("<img src=x onerror=alert(1)>\u202e");
  const ids: string[] = [];
  let refused = 0;
  for (const [n, text] of HOSTILE.entries()) {
    const named = await agent.server.call("write_file", {
      root: "app",
      path: `hostile/${asName(text, n)}`,
      content: asContent(text, n),
    });
    if (named.isError) refused++; // what cannot be a name can still be content
    ids.push(named.value?.change ?? await agent.write(`hostile/${n}.txt`, asContent(text, n)));
  }
  assert(refused < 10, `${refused} names were refused`);
  await using person = await stage.person();
  const { page } = person;
  const shown = (n: number) => person.pane(ids[n] ?? "").locator(SHOWN).first().waitFor();
  await person.goTo("?path=hostile%2F");
  await person.row(ids.at(-1) ?? "").waitFor();
  await isHarmless(page, "the timeline");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  for (const [n, text] of [...HOSTILE.entries()].toReversed()) {
    await shown(n);
    await isHarmless(page, text);
    await page.keyboard.press("j");
  }
  const open = async (n: number) => {
    await person.turnTo(`?path=hostile%2F&change=${ids[n]}&in=root%3Aapp`);
    await shown(n);
  };
  await page.setViewportSize({ width: 360, height: 740 });
  for (const n of [0, 4, 16, 36]) {
    await open(n);
    await isHarmless(page, `${HOSTILE[n]} on a narrow screen`);
  }
  await page.locator(".unfold-line").first().waitFor();
  const text = await page.locator(".change-pane .diff").innerText();
  assert(text.length < 20_000, "a long line is folded");
  await open(31);
  await page.locator(".change-pane .hidden-character", { hasText: "RLO" }).first().waitFor();
  await open(34);
  await page.locator(".change-pane .hidden-character", { hasText: "ESC" }).first().waitFor();
  for (
    const search of [
      "?client=<script>alert(1)<%2Fscript>",
      "?view=file&source=root:app&path=<img src=x onerror=alert(1)>",
    ]
  ) {
    await person.goTo(search);
    await isHarmless(page, search);
  }
}

/** Proves that the test above would notice: makes happen what it watches for. */
export async function violationsAreNoticed(stage: Stage): Promise<void> {
  const { page, context } = await stage.visitor(await stage.address());
  const tries = [
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.ran = 1" }))',
    'document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=globalThis.ran=1>")',
    'document.body.setAttribute("style", "display: none")',
  ];
  for (const attempt of tries) await page.evaluate(`{ try { ${attempt} } catch {} }`);
  assertEquals(await page.evaluate("globalThis.ran"), undefined);
  for (let i = 0; i < 100 && context.faults.length < 3; i++) await page.waitForTimeout(20);
  assertEquals(context.faults.length, tries.length, context.faults.join("\n"));
  await context[Symbol.asyncDispose]();
}
