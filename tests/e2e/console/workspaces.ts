/** The workspaces of a workspaces root: their history, diffs, revert and restore. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Stage } from "./stage.ts";
import { undo } from "./undoing.ts";

export async function workspacesAreSeen(stage: Stage): Promise<void> {
  await using person = await stage.person();
  const { page } = person;
  await person.turnTo("?view=sources");
  await page.getByRole("heading", { name: "Roots and workspaces" }).waitFor();
  const agent = await stage.agent("gardener", ["--transport=stdio", stage.workspaces]);
  await agent.server.call("workspace_create", { name: "Garden" });
  const write = (content: string) => agent.commit("garden", "beds.txt", content);
  const first = await write("peas\nbeans\n");
  await page.getByRole("link", { name: "garden" }).click(); // it appears without a reload
  assertEquals(new URL(page.url()).search, "?source=workspace%3Agarden");
  await person.row(first).waitFor();
  const second = await write("peas\nkale\n");
  await person.row(second).waitFor();
  await person.open(second);
  assertEquals(await person.lines(), [" peas", "-beans", "+kale"]);

  await person.button("Undo").click();
  await page.getByRole("dialog", { name: "Undo this change?" }).locator(".diff").waitFor();
  assertEquals(await person.lines("dialog"), [" peas", "-kale", "+beans"]);
  assertEquals(stage.base.read("spaces/garden/beds.txt"), "peas\nkale\n");
  await undo(person);
  assertEquals(stage.base.read("spaces/garden/beds.txt"), "peas\nbeans\n");
  await person.row(second).getByText("Undone").waitFor();
  await page.locator(".change-row", { hasText: "fs_revert" }).click();
  await page.getByText("Undoes").waitFor();

  const third = await write("peas\nleek\n");
  const fourth = await write("peas\nchard\n");
  await person.row(fourth).waitFor();
  await person.open(third);
  await person.button("Undo").click();
  const dialog = page.getByRole("dialog", { name: "This change can’t be undone on its own" });
  await dialog.waitFor();
  const told = await dialog.innerText();
  for (const part of ["beds.txt", fourth, "gardener", "Nothing was changed."]) {
    assertStringIncludes(told, part);
  }
  assertEquals(stage.base.read("spaces/garden/beds.txt"), "peas\nchard\n");
  await dialog.getByRole("link", { name: "History of this file" }).click();

  await page.getByRole("heading", { name: "beds.txt" }).first().waitFor();
  await person.row(first).click();
  await page.locator(".version-diff .diff").waitFor();
  assertEquals(await person.lines(".version-diff"), ["+peas", "+beans"]);
  await person.row(first).getByRole("button", { name: "Restore" }).click();
  await page.getByRole("dialog", { name: "Restore this version?" }).locator(".diff").waitFor();
  assertEquals(await person.lines("dialog"), [" peas", "-chard", "+beans"]);
  await person.button("Restore this version").click();
  await page.getByText("Restored: 1 file put back.").waitFor();
  assertEquals(stage.base.read("spaces/garden/beds.txt"), "peas\nbeans\n");
  await page.locator(".version", { hasText: "fs_restore" }).waitFor();
}
