import { assertEquals } from "@std/assert";
import { HeldDirectories } from "../../src/confine/held_directories.ts";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test({
  ...needs("Unix")(
    "HeldDirectories count as replaced by others, and by themselves if they were missing meanwhile",
  ),
  fn: () => {
    using folder = tempFolder();
    const [root, away] = [`${folder.path}/root`, `${folder.path}/away`];
    Deno.mkdirSync(root);
    const held = new HeldDirectories([folder.path, root]);
    const told = [held.areReplaced({ pinned: true })];
    Deno.renameSync(root, away);
    told.push(held.areReplaced({ pinned: true }));
    Deno.renameSync(away, root);
    told.push(held.areReplaced({ pinned: true }));
    assertEquals(told, [false, false, true]);
    Deno.renameSync(root, away);
    Deno.symlinkSync(away, root);
    const link = new HeldDirectories([root]);
    assertEquals(link.areReplaced({ pinned: true }), false);
    Deno.removeSync(root);
    Deno.renameSync(away, root);
    assertEquals(link.areReplaced({ pinned: true }), true);
    const again = new HeldDirectories([root]);
    Deno.renameSync(root, away);
    Deno.mkdirSync(root);
    assertEquals(again.areReplaced({ pinned: true }), true);
  },
});
