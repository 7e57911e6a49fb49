/** Every tool that writes, on the system that runs the tests. */
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { rootsJourney, workspacesJourney } from "./journey.ts";

/** Emulated processors take long for a call. */
const SLOW = "--timeout=300";

Deno.test("all writing tools of the roots surface work here, and can be undone", async () => {
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/project`);
  await using server = new TestServer([`${base.path}/project`, `--undo-dir=${base.path}/undo`, SLOW]);
  await server.initialize();
  await rootsJourney(server, { root: "project", undo: true });
});

Deno.test("all writing tools of the workspaces surface work here, and can be restored", async () => {
  using base = tempFolder();
  await using server = new TestServer(["--transport=stdio", `--workspaces-root=${base.path}`, SLOW]);
  await server.initialize();
  await workspacesJourney(server);
});
