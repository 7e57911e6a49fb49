import { assertEquals } from "@std/assert";
import { HeldDirectories } from "../../src/confine/held_directories.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test("HeldDirectories are replaced by others, and by themselves when they were missed meanwhile", () => {
  using folder = tempFolder();
  const [root, away] = [`${folder.path}/root`, `${folder.path}/away`];
  Deno.mkdirSync(root);
  const held = new HeldDirectories([folder.path, root]);
  const told = [held.areReplaced()];
  Deno.renameSync(root, away);
  told.push(held.areReplaced());
  Deno.renameSync(away, root);
  told.push(held.areReplaced());
  assertEquals(told, [false, false, true]);
  const again = new HeldDirectories([root]);
  Deno.renameSync(root, away);
  Deno.mkdirSync(root);
  assertEquals(again.areReplaced(), true);
});
