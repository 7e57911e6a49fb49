/** The proof against an attacker who swaps a folder for a link and back exactly between two lookups of the path. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { ConfinedFile } from "../../src/confine/confined_fs.ts";
import { CAREFUL, isProven, isSame, leftAlone, THOROUGH } from "../../src/confine/proof.ts";
import { type EngineFolder, engineOn } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Place extends TempFolder, Pick<EngineFolder, "root" | "at"> {
  /** Whether `dir` is the link that leads outside, or the folder. */
  swap(out: boolean): void;
}

function place(): Place {
  const folder = tempFolder();
  folder.write("root/dir/deep/file", "inside");
  folder.write("outside/deep/file", "SECRET");
  const dir = `${folder.path}/root/dir`;
  Deno.symlinkSync("../outside", `${dir}.link`);
  let isOut = false;
  const swap = (out: boolean) => {
    if (out === isOut) return;
    isOut = out;
    Deno.renameSync(dir, out ? `${dir}.folder` : `${dir}.link`);
    Deno.renameSync(out ? `${dir}.link` : `${dir}.folder`, dir);
  };
  return {
    ...folder,
    ...engineOn({ name: "root", path: `${folder.path}/root`, git: "open", nested: [] }),
    swap,
  };
}

/** Calls `before` with a running number before each lookup of a path. */
function watchLooks(before: (look: number) => void): Disposable & { count: number } {
  const { lstatSync, realPathSync } = Deno;
  const watch = { count: 0, [Symbol.dispose]: () => void Object.assign(Deno, { lstatSync, realPathSync }) };
  const look = <A extends unknown[], R>(real: (...args: A) => R) => (...args: A): R => {
    before(watch.count++);
    return real(...args);
  };
  Object.assign(Deno, { lstatSync: look(lstatSync), realPathSync: look(realPathSync) });
  return watch;
}

const IN_THE_PAST = -1e9;
const IN_THE_FUTURE = 1e9;

Deno.test("isProven is true when there is no link in the path and it still leads to what was found", () => {
  using at = place();
  const path = at.at("dir/deep/file");
  const info = Deno.lstatSync(path.absolute);
  for (const rounds of [0, CAREFUL, THOROUGH]) {
    for (const since of [Date.now(), Date.now() + IN_THE_FUTURE, Date.now() + IN_THE_PAST]) {
      assertEquals(isProven(path, () => isSame(path, info), { rounds, since }), true);
      assertEquals(isProven(path, () => false, { rounds, since }), false);
    }
  }
});

Deno.test({
  ...onUnix("isProven is false if a link is in the path, whatever is found there"),
  fn: () => {
    using at = place();
    const path = at.at("dir/deep/file");
    at.swap(true);
    const info = Deno.lstatSync(path.absolute);
    for (const rounds of [0, CAREFUL, THOROUGH]) {
      for (const since of [Date.now(), Date.now() + IN_THE_FUTURE]) {
        assertEquals(isSame(path, info), true);
        assertEquals(isProven(path, () => isSame(path, info), { rounds, since }), false);
      }
    }
  },
});

Deno.test({
  ...onUnix(
    "isProven checks each folder once if all have been left alone, and many times if one has not",
  ),
  fn: () => {
    using at = place();
    const path = at.at("dir/deep/file");
    const looksAt = (since: number) => {
      using looks = watchLooks(() => {});
      assertEquals(isProven(path, () => true, { rounds: THOROUGH, since }), true);
      return looks.count;
    };
    assertEquals(looksAt(Date.now() + IN_THE_FUTURE), 3); // dir/deep, dir and the root
    const fresh = looksAt(Date.now()); // made a moment ago, as far as can be known after the file was opened
    assert(fresh > 3 && fresh <= THOROUGH + 2, `${fresh} looks`);
  },
});

/** Where `dir` leads at the n-th lookup, after the file was opened outside. */
const SCHEDULES: Record<string, (look: number) => boolean> = {
  "at every look": (look) => look % 2 === 0,
  "at every second lookup": (look) => look % 4 < 2,
  "after the first lookup": (look) => look === 0,
  "by chance": () => Math.random() < 0.5,
};

for (const [when, out] of Object.entries(SCHEDULES)) {
  Deno.test({
    ...onUnix(`ConfinedFile.open returns nothing from outside when the folder is swapped ${when}`),
    fn: async () => {
      using at = place();
      const path = at.at("dir/deep/file");
      await ConfinedFile.open(path).then((file) => file[Symbol.dispose]()); // loads what it needs
      for (let trial = 0; trial < 20; trial++) {
        at.swap(true);
        using _looks = watchLooks((look) => at.swap(out(look)));
        let read = "";
        try {
          using file = await ConfinedFile.open(path);
          const buffer = new Uint8Array(10);
          read = new TextDecoder().decode(buffer.subarray(0, file.readAt(buffer, 0)));
        } catch (error) {
          if (!(error instanceof PaddockError)) throw error;
        }
        assert(read === "" || read === "inside", read);
      }
    },
  });
}

Deno.test({
  ...onUnix("ConfinedFile.open reads a file that is replaced during the check, and finally gives up"),
  fn: async () => {
    using at = place();
    const path = at.at("dir/deep/file");
    const replace = () => {
      at.write("root/new", "inside");
      Deno.renameSync(`${at.root.path}/new`, path.absolute);
    };
    {
      using _looks = watchLooks((look) => look === 0 && replace());
      using file = await ConfinedFile.open(path);
      assertEquals(file.size, "inside".length);
    }
    using _looks = watchLooks(replace);
    const error = await assertRejects(() => ConfinedFile.open(path), PaddockError, "kept changing");
    assertEquals(error.code, "CONFLICT");
  },
});

Deno.test("leftAlone believes the change times of folders, but not on Windows, where programs can set them", () => {
  using folder = tempFolder();
  folder.write("sub/a.txt", "x");
  const path = engineOn({ name: "test", path: folder.path, git: "open", nested: [] }).at("sub/a.txt");
  const later = Date.now() + 60_000;
  assertEquals(leftAlone(path, later), Deno.build.os !== "windows");
  assertEquals(leftAlone(path, later, "windows"), false);
  assertEquals(leftAlone(path, Date.now()), false, "it was made just now");
});
