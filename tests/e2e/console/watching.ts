/** What a person sees as it happens. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Route } from "../../packages/browser.ts";
import { isForAll } from "./accessible.ts";
import type { Stage } from "./stage.ts";

export async function changeAppears(stage: Stage): Promise<void> {
  stage.base.write("app/src/port.ts", "const host = 'a';\nconst port = 80;\n\nserve(host, port);\n");
  await using person = await stage.person();
  await person.page.getByText("No changes yet").waitFor();
  await person.page.evaluate("globalThis.sameDocument = true");
  const agent = await stage.agent("claude-code");
  const id = await agent.write(
    "src/port.ts",
    "const host = 'a';\nconst port = 8080;\n\nserve(host, port);\n",
  );
  const row = person.row(id);
  await row.waitFor();
  assertStringIncludes(await row.innerText(), "write_file");
  assertStringIncludes(await row.innerText(), "src/port.ts");
  await person.page.getByRole("heading", { name: "Today" }).waitFor();
  await person.page.getByRole("heading", { name: "claude-code" }).first().waitFor();
  assert(await person.page.evaluate("globalThis.sameDocument"), "the page was not loaded again");
  assert(!person.page.url().includes("token"), "the token has left the address bar");

  await person.open(id);
  assertEquals(await person.lines(), [
    " const host = 'a';",
    "-const port = 80;",
    "+const port = 8080;",
    " ",
    " serve(host, port);",
  ]);
  assertEquals(await person.page.locator(".diff del").allInnerTexts(), ["80"]);
  assertEquals(await person.page.locator(".diff ins").allInnerTexts(), ["8080"]);
  await person.page.keyboard.press("s");
  await person.page.locator(".diff.is-split").waitFor();
  assertEquals(await person.page.locator(".diff.is-split tr.line").count(), 4);
  await person.page.keyboard.press("s");
}

export async function filtersHold(stage: Stage): Promise<void> {
  const claude = await stage.agent("claude-code");
  const cursor = await stage.agent("cursor");
  const ids = {
    claude: await claude.write("filters/one.txt", "1\n"),
    cursor: await cursor.write("filters/two.txt", "2\n"),
    docs: await cursor.write("filters/three.md", "3\n", "docs"),
    removed: await cursor.change("remove_file", { root: "app", path: "filters/two.txt" }),
  };
  await using person = await stage.person();
  const { page } = person;
  await person.row(ids.claude).waitFor();
  const shown = async (...names: (keyof typeof ids)[]) => {
    for (const [name, id] of Object.entries(ids)) {
      const state = names.includes(name as keyof typeof ids) ? "visible" : "detached";
      await person.row(id).waitFor({ state });
    }
  };
  await page.getByLabel("Client").selectOption("cursor");
  await shown("cursor", "docs", "removed");
  await page.getByLabel("Tool").selectOption("remove_file");
  await shown("removed");
  assertEquals(new URL(page.url()).search, "?client=cursor&tool=remove_file");
  await page.reload();
  await shown("removed");
  await page.goBack();
  await shown("cursor", "docs", "removed");
  await page.getByLabel("Root or workspace").selectOption("root:docs");
  await shown("docs");
  await person.button("Clear filters").click();
  await shown("claude", "cursor", "docs", "removed");
  await page.getByLabel("Path").fill("ters/TWO");
  await shown("cursor", "removed");
  assertStringIncludes(page.url(), "path=ters%2FTWO");
  const late = await claude.write("filters/two.txt", "again\n");
  await person.row(late).waitFor();
  await page.getByLabel("Path").fill("no-such-file");
  await page.getByText("No changes match these filters").waitFor();
  await person.goTo("?since=1h");
  await shown("claude", "cursor", "docs", "removed");
  await person.goTo(`?since=${encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())}`);
  await page.getByText("No changes match these filters").waitFor();
}

export async function terminalIsSeen(stage: Stage): Promise<void> {
  stage.base.write("app/terminal.txt", "before\n");
  const agent = await stage.agent("claude-code");
  await using person = await stage.person();
  const id = await agent.write("terminal.txt", "after\n");
  await person.row(id).waitFor();
  await stage.terminal("undo", `${stage.base.path}/app`, id, "--yes");
  await person.row(id).getByText("Undone").waitFor();
  await person.page.locator(".change-row", { hasText: "undo write_file terminal.txt" }).waitFor();
  assertEquals(stage.base.read("app/terminal.txt"), "before\n");
}

/** The first answer is one that the server gave before a change, and comes after the event of it. */
export async function eventsOutrunAnswers(stage: Stage): Promise<void> {
  const agent = await stage.agent("claude-code");
  await using person = await stage.person();
  const { page } = person;
  await person.row(await agent.write("outrun.txt", "0\n")).waitFor();
  const start = page.url();
  await page.goto("about:blank"); // the page as it was opened before asks nothing any more
  const address = "**/console/api/changes?*";
  const given = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  const later: Route[] = [];
  let answers = 0;
  await page.route(address, async (route) => {
    if (answers++ > 0) return void later.push(route); // what the page asks afterwards is not answered yet
    const response = await route.fetch();
    given.resolve();
    await shown.promise;
    await route.fulfill({ response });
  });
  try {
    await page.goto(start);
    await page.locator(".live.is-live").waitFor();
    await given.promise;
    const id = await agent.write("outrun.txt", "1\n");
    await person.row(id).waitFor();
    await page.waitForTimeout(600); // the page refreshes soon after it was opened, but not instead of that
    shown.resolve();
    await page.locator(".rows[aria-busy=false]").waitFor();
    assertEquals(await person.row(id).count(), 1, "the older answer does not hide the change");
  } finally {
    shown.resolve();
    await page.unroute(address);
    await Promise.allSettled(later.map((route) => route.continue()));
  }
}

export async function restartIsSurvived(stage: Stage): Promise<void> {
  const agent = await stage.agent("claude-code");
  await using person = await stage.person();
  const { page } = person;
  const before = await agent.write("restart.txt", "before\n");
  await person.row(before).waitFor();
  await stage.restart(async () => {
    await page.getByText("Connection lost").waitFor();
    assertEquals(await person.row(before).count(), 1, "what was seen stays");
    await isForAll(page, "a lost connection");
  });
  await page.evaluate("document.querySelector('.banner button')?.click()"); // unless it has already retried by itself
  const during = await agent.write("restart.txt", "during\n");
  await page.getByRole("heading", { name: "This session has ended" }).waitFor();
  await isForAll(page, "the end of a session");
  const other = await person.context.page(await stage.address());
  await other.locator(`[data-change-id="${during}"]`).waitFor();
  await person.row(during).waitFor();
  await page.locator(".live.is-live").waitFor();
  await person.row(await agent.write("restart.txt", "after\n")).waitFor();
}
