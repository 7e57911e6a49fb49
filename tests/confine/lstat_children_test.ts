import { assert, assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { lstatChildren } from "../../src/confine/confined_fs.ts";
import { type EngineFolder, engineOn } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

const INSIDE = "inside";
const SECRET = "SECRET!";
const NAMES = ["a", "b", "c", "link", "none"];

interface Place extends TempFolder, Pick<EngineFolder, "root" | "at"> {
  /** Whether `dir` is the link that leads outside, or the folder. */
  swap(out: boolean): void;
}

/** A folder, and one outside with the same names and more. */
function place(): Place {
  const folder = tempFolder();
  for (const name of ["a", "b", "c"]) {
    folder.write(`root/dir/${name}`, INSIDE);
    folder.write(`outside/${name}`, SECRET);
  }
  folder.write("outside/none", SECRET);
  folder.write("outside/link", SECRET);
  const dir = `${folder.path}/root/dir`;
  Deno.symlinkSync("a", `${dir}/link`);
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

Deno.test({
  ...onUnix(
    "lstatChildren describes what is under each name, links themselves, and returns undefined for missing names",
  ),
  fn: () => {
    using at = place();
    const found = lstatChildren(at.at("dir"), NAMES);
    assertEquals(found.map((info) => info?.size), [
      INSIDE.length,
      INSIDE.length,
      INSIDE.length,
      1,
      undefined,
    ]);
    assertEquals(found[3]?.isSymlink, true);
    assertEquals(lstatChildren(at.at("dir"), []), []);
    assertEquals(lstatChildren(at.at("."), ["dir"])[0]?.isDirectory, true);
  },
});

Deno.test("lstatChildren accepts only names, not paths", () => {
  using at = place();
  for (const name of ["..", ".", "", "../outside", "a/b"]) {
    const error = assertThrows(() => lstatChildren(at.at("dir"), [name]), PaddockError);
    assertEquals(error.code, "INVALID_INPUT");
  }
});

Deno.test({
  ...onUnix("lstatChildren looks up each name once if nothing was renamed lately, and twice otherwise"),
  fn: () => {
    using at = place();
    const looks = () => {
      using watch = watchLooks(() => {});
      lstatChildren(at.at("dir"), NAMES);
      return watch.count;
    };
    const fresh = looks();
    assert(fresh > 2 * NAMES.length, `${fresh} looks`);
    const { now } = Date;
    try {
      Date.now = () => now() + 10_000;
      assertEquals(looks(), NAMES.length + 3); // resolving, the real path, and the folder above
    } finally {
      Date.now = now;
    }
  },
});

Deno.test({
  ...onUnix("lstatChildren refuses a folder that was swapped for a link, and a missing one"),
  fn: () => {
    using at = place();
    const dir = at.at("dir");
    at.swap(true);
    const swapped = assertThrows(() => lstatChildren(dir, NAMES), PaddockError);
    assertEquals(swapped.code, "OUT_OF_BOUNDS");
    assertEquals(swapped.message.includes(at.path), false);
    at.swap(false);
    Deno.removeSync(dir.absolute, { recursive: true });
    const gone = assertThrows(() => lstatChildren(dir, NAMES), PaddockError);
    assertEquals([gone.code, gone.message], ["NOT_FOUND", "directory not found: dir"]);
  },
});

/** Where `dir` leads at the n-th lookup. */
const SCHEDULES: Record<string, (look: number) => boolean> = {
  "for all names in the first pass": (look) => look < NAMES.length,
  "for one name in the first pass": (look) => look === 1,
  "in both passes": (look) => look < 2 * NAMES.length + 3,
  "at every second lookup": (look) => look % 2 === 0,
  "by chance": () => Math.random() < 0.5,
};

for (const [when, out] of Object.entries(SCHEDULES)) {
  Deno.test({
    ...onUnix(`lstatChildren reveals nothing about what is outside when the folder is swapped ${when}`),
    fn: () => {
      using at = place();
      const dir = at.at("dir");
      for (let trial = 0; trial < 20; trial++) {
        let sizes: (number | undefined)[] = [];
        {
          using _looks = watchLooks((look) => at.swap(out(look)));
          try {
            sizes = lstatChildren(dir, NAMES).map((info) => info?.size);
          } catch (error) {
            if (!(error instanceof PaddockError)) throw error;
          }
        }
        at.swap(false);
        assert(!sizes.includes(SECRET.length), Deno.inspect(sizes));
      }
    },
  });
}

Deno.test("lstatChildren continues when an entry is replaced meanwhile", () => {
  using at = place();
  using _looks = watchLooks((look) => {
    if (look !== NAMES.length) return;
    at.write("root/dir/new", "replaced");
    Deno.renameSync(`${at.root.path}/dir/new`, `${at.root.path}/dir/a`);
  });
  assertEquals(lstatChildren(at.at("dir"), ["a"])[0]?.isFile, true);
});
