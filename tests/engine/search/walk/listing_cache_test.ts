import { assert, assertEquals } from "@std/assert";
import { ListingCache } from "../../../../src/engine/search/walk/listing_cache.ts";
import type { SortedFolder } from "../../../../src/engine/search/walk/sorted_folder.ts";
import { onUnix } from "../../../support/needs.ts";
import { engineFolder } from "../../../support/engine.ts";
import { tempFolder } from "../../../support/temp.ts";
import { swap, walked } from "../support.ts";

/** Runs the body at a time when everything written so far is old enough; records what was listed. */
async function listed<T>(aheadMs: number, body: () => Promise<T>): Promise<{ value: T; folders: string[] }> {
  const { now } = Date;
  const { readDirSync } = Deno;
  const folders: string[] = [];
  Date.now = () => now() + aheadMs;
  Deno.readDirSync = (path) => {
    folders.push(String(path));
    return readDirSync(path);
  };
  try {
    return { value: await body(), folders };
  } finally {
    Date.now = now;
    Deno.readDirSync = readDirSync;
  }
}

// Windows has no reliable time of change, so nothing is remembered there.
Deno.test(
  onUnix(
    "ListingCache saves listing folders from the third walk on, unless they were changed a moment ago",
  ),
  async () => {
    using folder = engineFolder();
    for (const name of ["a/1", "a/2", "b/c/3", "4"]) folder.write(name, "");
    const all = await walked(folder.at(""));
    for (const [aheadMs, third] of [[10_000, 0], [0, 4]] as const) {
      const listings = new ListingCache<SortedFolder>();
      const counts: number[] = [];
      for (let round = 0; round < 3; round++) {
        const walk = () => walked(folder.at(""), { unproven: true, listings });
        const { value, folders } = await listed(aheadMs, walk);
        assertEquals(value, all);
        counts.push(folders.length);
      }
      assertEquals(counts, [4, 4, third]);
    }
  },
);

Deno.test(
  onUnix("ListingCache never returns stale listings, whatever happens to folders between walks"),
  async () => {
    using folder = engineFolder();
    for (let i = 0; i < 24; i++) folder.write(`${i % 4}/${i % 3}/${i}`, "");
    const listings = new ListingCache<SortedFolder>();
    let state = 1;
    const pick = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let spared = 0;
    for (let round = 0; round < 60; round++) {
      const place = `${folder.path}/${pick(4)}/${pick(3)}`;
      const kind = pick(5);
      if (kind === 0) Deno.writeTextFileSync(`${place}/new${round}`, "");
      if (kind === 1) Deno.mkdirSync(`${place}/folder${round}`);
      if (kind === 2) {
        for (const { name } of Deno.readDirSync(place)) {
          Deno.renameSync(`${place}/${name}`, `${place}/moved${round}`);
          break;
        }
      }
      // As time stamps work: every change gets its own tick of the clock.
      Deno.utimeSync(place, new Date(), new Date(1_000_000 * round));
      const { value, folders } = await listed(
        10_000,
        () => walked(folder.at(""), { unproven: true, listings }),
      );
      assertEquals(value, await walked(folder.at("")), `round ${round}`);
      spared += 17 - folders.length;
    }
    assert(spared > 200, `only ${spared} listings were spared`);
  },
);

Deno.test("ListingCache keeps nothing about a folder reached through a link, and notices one that is swapped", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "");
  folder.write("a/b/file", "");
  const listings = new ListingCache<SortedFolder>();
  const walk = async () =>
    (await listed(10_000, () => walked(folder.at(""), { unproven: true, listings }))).value;
  for (let round = 0; round < 3; round++) assertEquals(await walk(), ["a/", "a/b/", "a/b/file"]);
  swap(`${folder.path}/a/b`, outside.path);
  assertEquals((await walk()).some((name) => name.includes("secret")), false);
});
