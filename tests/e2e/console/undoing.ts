/** What a person undoes, and what conflicts with it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Person, Stage } from "./stage.ts";

/** Confirms, and waits until it is done; if it fails, reports why. */
export async function undo(person: Person): Promise<void> {
  const dialog = person.page.locator("dialog");
  await person.button("Undo this change").click();
  await dialog.waitFor({ state: "detached" }).catch(async () =>
    assertEquals(await dialog.innerText(), "closed")
  );
  await person.page.getByText("Undone: 1 file put back.").waitFor();
}

export async function undoBringsBack(stage: Stage): Promise<void> {
  stage.base.write("app/undo.txt", "first\nsecond\nthird\n");
  const agent = await stage.agent("claude-code");
  const id = await agent.write("undo.txt", "first\n2nd\nthird\n");
  await using person = await stage.person();
  await person.row(id).getByRole("button", { name: "Undo", exact: true }).click();
  const dialog = person.page.getByRole("dialog", { name: "Undo this change?" });
  await dialog.locator(".diff").waitFor();
  assertEquals(await person.lines("dialog"), [" first", "-2nd", "+second", " third"]);
  await person.button("Cancel").click();
  await dialog.waitFor({ state: "detached" });
  assertEquals(
    stage.base.read("app/undo.txt"),
    "first\n2nd\nthird\n",
    "nothing happens before it is confirmed",
  );

  await person.open(id);
  await person.button("Undo").click();
  await dialog.locator(".diff").waitFor();
  await undo(person);
  assertEquals(stage.base.read("app/undo.txt"), "first\nsecond\nthird\n");
  await person.page.getByText("Undone by").waitFor();
  await person.row(id).getByText("Undone").waitFor();
  assertEquals(await person.button("Undo").count(), 0);

  await person.page.getByRole("link", { name: "Show" }).click(); // the undo itself, which can be undone as well
  await person.page.getByText("Undoes").waitFor();
  await person.button("Undo").click();
  await undo(person);
  assertEquals(stage.base.read("app/undo.txt"), "first\n2nd\nthird\n");
}

export async function conflictIsExplained(stage: Stage): Promise<void> {
  stage.base.write("app/conflict.txt", "one\ntwo\nthree\n");
  const claude = await stage.agent("claude-code");
  const cursor = await stage.agent("cursor");
  const first = await claude.write("conflict.txt", "one\n2\nthree\n");
  const second = await cursor.write("conflict.txt", "one\nzwei\nthree\n");
  await using person = await stage.person();
  await person.open(first);
  await person.button("Undo").click();
  const dialog = person.page.getByRole("dialog", { name: "This change can’t be undone on its own" });
  await dialog.waitFor();
  const told = await dialog.innerText();
  for (const part of ["conflict.txt", second, "cursor", "Undo the later one first", "Nothing was changed."]) {
    assertStringIncludes(told, part);
  }
  assertEquals(await person.button("Undo this change").count(), 0);
  assertEquals(stage.base.read("app/conflict.txt"), "one\nzwei\nthree\n");
  await dialog.getByRole("link", { name: second }).click();
  await person.page.locator(".pane-id", { hasText: second }).waitFor();
  await person.button("Undo").click();
  await undo(person);
  assertEquals(stage.base.read("app/conflict.txt"), "one\n2\nthree\n");

  const third = await claude.write("conflict.txt", "one\n2\ndrei\n");
  stage.base.write("app/conflict.txt", "one\n2\nIII\n"); // a person, in an editor
  await person.row(third).click();
  await person.button("Undo").click();
  await dialog.waitFor();
  assertStringIncludes(await dialog.innerText(), "another program");
  assertEquals(stage.base.read("app/conflict.txt"), "one\n2\nIII\n");
}

export async function twoBrowsersAgree(stage: Stage): Promise<void> {
  stage.base.write("app/two.txt", "a\nb\nc\nd\ne\nf\ng\n");
  const agent = await stage.agent("claude-code");
  await using ana = await stage.person();
  await using ben = await stage.person();
  const first = await agent.write("two.txt", "A\nb\nc\nd\ne\nf\ng\n");
  await Promise.all([ana.row(first).waitFor(), ben.row(first).waitFor()]);
  await ana.open(first);
  await ana.button("Undo").click();
  await ana.button("Undo this change").waitFor();
  await agent.write("two.txt", "A\nb\nc\nd\ne\nf\nG\n"); // meanwhile
  await ana.button("Undo this change").click();
  await ana.page.getByText("The files changed after the preview, so nothing was done.").waitFor();
  assertEquals(stage.base.read("app/two.txt"), "A\nb\nc\nd\ne\nf\nG\n");
  await ana.page.getByText("Changed again since.").waitFor();
  await undo(ana);
  assertEquals(stage.base.read("app/two.txt"), "a\nb\nc\nd\ne\nf\nG\n");
  await ben.row(first).getByText("Undone").waitFor();
  assertEquals(await ben.row(first).getByRole("button").count(), 0);
}

export async function versionsAreRestored(stage: Stage): Promise<void> {
  const agent = await stage.agent("claude-code");
  const ids: string[] = [];
  for (const text of ["one\n", "two\n", "three\n"]) ids.push(await agent.write("versions.txt", text));
  await using person = await stage.person();
  await person.open(ids[2] ?? "");
  await person.page.getByRole("link", { name: "History" }).click();
  await person.page.getByRole("heading", { name: "versions.txt" }).first().waitFor();
  await person.row(ids[0] ?? "").click();
  await person.page.locator(".version-diff .diff").waitFor();
  assertEquals(await person.lines(".version-diff"), ["+one"]);
  await person.row(ids[0] ?? "").getByRole("button", { name: "Restore" }).click();
  const dialog = person.page.getByRole("dialog", { name: "Restore this version?" });
  await dialog.locator(".diff").waitFor();
  assertEquals(await person.lines("dialog"), ["-three", "+one"]);
  assertEquals(stage.base.read("app/versions.txt"), "three\n");
  await person.button("Restore this version").click();
  await person.page.getByText("Restored: 1 file put back.").waitFor();
  assertEquals(stage.base.read("app/versions.txt"), "one\n");
  await person.page.locator(".version", { hasText: "restore" }).first().waitFor();
}

export async function keyboardIsEnough(stage: Stage): Promise<void> {
  stage.base.write("app/keys.txt", "before\n");
  const agent = await stage.agent("claude-code");
  const ids: string[] = [];
  for (const text of ["one\n", "two\n", "three\n"]) ids.unshift(await agent.write("keys.txt", text));
  await using person = await stage.person();
  const { page } = person;
  const keys = page.keyboard;
  const focusIsOn = (id: string | undefined) =>
    page.locator(`[data-change-id="${id}"] .row-link:focus`).waitFor();
  await keys.press("/");
  await keys.type("keys.txt");
  await keys.press("Enter");
  await page.locator(".change-row").nth(3).waitFor({ state: "detached" }); // the others are gone
  await person.row(ids[2] ?? "").waitFor();
  await keys.press("Escape");
  for (const [key, place] of [["j", 0], ["j", 1], ["j", 2], ["k", 1]] as const) {
    await keys.press(key);
    await focusIsOn(ids[place]);
  }
  await keys.press("Enter");
  await page.locator(".pane-id", { hasText: ids[1] ?? "" }).waitFor();
  await keys.press("k");
  await page.locator(".pane-id", { hasText: ids[0] ?? "" }).waitFor();
  await page.locator(".change-pane .diff").waitFor();
  await keys.press("u");
  await person.button("Undo this change").waitFor();
  for (let i = 0; i < 12; i++) {
    if (await page.locator("button:focus", { hasText: "Undo this change" }).count() > 0) break;
    await keys.press("Tab");
  }
  await keys.press("Enter");
  await page.getByText("Undone: 1 file put back.").waitFor();
  assertEquals(stage.base.read("app/keys.txt"), "two\n");
  await keys.press("Escape");
  await page.locator(".change-pane").waitFor({ state: "detached" });
  await focusIsOn(ids[0]); // the focus is back where it came from
  await keys.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  await keys.press("j");
  await keys.press("Escape");
  await help.waitFor({ state: "detached" });
  assert(await page.locator("dialog").count() === 0);
}
