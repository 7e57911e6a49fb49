/**
 * Every tool that writes on file systems that Linux itself does not have: with the locks of Windows, with the names of
 * macOS, with ids beyond 2^53, and what else others are like.
 */
import { needs } from "../../support/needs.ts";
import { serverCommand, TestServer } from "../../support/server.ts";
import { onStrangeFs } from "../../support/strange_fs/mount.ts";
import { type Traits } from "../../support/strange_fs/traits.ts";
import { tempFolder } from "../../support/temp.ts";
import { rootsJourney, workspacesJourney } from "./journey.ts";

const onFuse = needs("FUSE", "a mount namespace");

const SYSTEMS: Record<string, Traits> = {
  "the locks, names and ids of NTFS": { mandatoryLocks: true, foldsCase: true, largeIds: true },
  "what FAT and shares of Windows are like": {
    mandatoryLocks: true,
    foldsCase: true,
    keepsOpenFiles: true,
    noHardLinks: true,
  },
  "nothing that can be flushed": { noSync: true },
};

for (const [name, traits] of Object.entries(SYSTEMS)) {
  Deno.test({
    ...onFuse(`all writing tools of the roots surface work with ${name}`),
    fn: async () => {
      using base = tempFolder();
      Deno.mkdirSync(`${base.path}/mnt`);
      const command = [...onStrangeFs(traits, `${base.path}/mnt`), ...serverCommand([])];
      await using server = new TestServer([`${base.path}/mnt`, `--undo-dir=${base.path}/undo`], { command });
      await server.initialize();
      await rootsJourney(server, { root: "mnt", undo: true });
    },
  });

  Deno.test({
    ...onFuse(`all writing tools of the workspaces surface work with ${name}`),
    fn: async () => {
      using base = tempFolder();
      Deno.mkdirSync(`${base.path}/mnt`);
      const command = [...onStrangeFs(traits, `${base.path}/mnt`), ...serverCommand([])];
      await using server = new TestServer(["--transport=stdio", `--workspaces-root=${base.path}/mnt`], {
        command,
      });
      await server.initialize();
      await workspacesJourney(server);
    },
  });
}
