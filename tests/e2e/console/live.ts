/** The overview of a server with --console, as its calls arrive. */
import { assert, assertEquals } from "@std/assert";
import { ConsoleProcess } from "../../support/console.ts";
import { SessionClient } from "../../support/http_client.ts";
import { isForAll } from "./accessible.ts";
import type { Person, Stage } from "./stage.ts";

/** A figure of the overview, by its name. */
function figure({ page }: Person, name: string, value: string) {
  return page.locator(".tile", { hasText: name }).locator(".figure", { hasText: new RegExp(`^${value}$`) });
}

export async function callsAreSeen(stage: Stage): Promise<void> {
  stage.base.write("live/secret.txt", "CONTENT-OF-A-FILE\n");
  await using server = new ConsoleProcess({
    isServer: true,
    args: [`${stage.base.path}/live`, `--undo-dir=${stage.base.path}/undo`],
  });
  await using person = await stage.visitor(await server.line());
  const { page } = person;
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("No calls yet").waitFor();
  await page.getByText("No clients are connected.").waitFor();
  const agent = await SessionClient.begin(server.url);
  await agent.call("read_file", { root: "live", path: "secret.txt" });
  await agent.call("read_file", { root: "live", path: "../../etc/passwd" });
  await agent.call("read_file", { root: "live", path: "missing.txt" });
  const foreign = await fetch(`${server.url}/mcp`, { headers: { origin: "http://evil.example" } });
  await foreign.body?.cancel();

  const calls = page.getByRole("region", { name: "Latest calls" }).locator("tbody tr");
  for (
    const [name, value] of [["Connected", "1"], ["Calls", "4"], ["Errors", "1"], ["Refusals", "2"]] as const
  ) {
    await figure(person, name, value).waitFor();
  }
  const told = async () =>
    (await calls.allInnerTexts()).map((text) => text.split(/\s+/).slice(1, -1).join(" "));
  const bad = [
    "Unknown client http /mcp refused · 403",
    "test read_file missing.txt error · NOT_FOUND",
    "test read_file ../../etc/passwd refused · OUT_OF_BOUNDS",
  ];
  assertEquals(await told(), [...bad, "test read_file secret.txt ok"]);
  await person.button("Errors and refusals").click();
  await calls.filter({ hasText: "secret.txt" }).waitFor({ state: "detached" });
  assertEquals(await told(), bad);
  const connected = page.getByRole("region", { name: "Connected clients" }).locator("tbody tr");
  assertEquals((await connected.innerText()).split(/\s+/).slice(0, 7).join(" "), "T test 1 http 3 1 1");
  await page.getByRole("img", { name: "4 calls in the last 60 minutes" }).waitFor();
  assert(!(await page.content()).includes("CONTENT-OF-A-FILE"));
  await isForAll(page, "the overview of a server");

  const { value: { change } } = await agent.call("write_file", {
    root: "live",
    path: "new.txt",
    content: "x",
  });
  await agent.end();
  await page.getByText("No clients are connected.").waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await person.row(change).getByRole("button", { name: "Undo", exact: true }).click();
  await person.button("Undo this change").click();
  await page.getByText("Undone: 1 file put back.").waitFor();
  assert(!stage.base.names().includes("live/new.txt"));
}
