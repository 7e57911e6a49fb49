import { assert, assertEquals } from "@std/assert";
import { hashedContent, hashFile, hashSoon, sha256 } from "../../src/engine/hash.ts";
import { abortedAfter, engineFolder, refusal } from "../support/engine.ts";
import { hexOf } from "../support/sha256.ts";

const KNOWN = {
  "": {
    md5: "d41d8cd98f00b204e9800998ecf8427e",
    sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  },
  abc: {
    md5: "900150983cd24fb0d6963f7d28e17f72",
    sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  },
  ["a".repeat(1_000_000)]: {
    md5: "7707d6ae4e027c70eea2a935c2296f21",
    sha1: "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
    sha256: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  },
};

for (const [content, hashes] of Object.entries(KNOWN)) {
  for (const algorithm of ["md5", "sha1", "sha256"] as const) {
    Deno.test(`hashFile returns the known ${algorithm} of ${content.length} bytes`, async () => {
      using folder = engineFolder();
      folder.write("a", content);
      assertEquals(await hashFile(folder.at("a"), { algorithm }), {
        hash: hashes[algorithm],
        size: content.length,
      });
    });
  }
}

Deno.test("hashFile reads in chunks of at most 32 KB, and stops between two when the call is cancelled", async () => {
  using folder = engineFolder();
  using file = Deno.openSync(folder.write("big", ""), { write: true });
  file.truncateSync(8 * 1024 ** 3);
  const path = folder.at("big");
  const cancelled = "TIMEOUT: the call was cancelled";
  assertEquals(await refusal(hashFile(path, { algorithm: "sha256", signal: abortedAfter(3) })), cancelled);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 0); // it only gets its turn because the loop yields
  assertEquals(await refusal(hashFile(path, { algorithm: "md5", signal: controller.signal })), cancelled);
  file.truncateSync(32 * 1024 + 1);
  const looks = countingSignal();
  assertEquals((await hashFile(path, { algorithm: "md5", signal: looks.signal })).size, 32 * 1024 + 1);
  assert(looks.count() >= 2, "once for each of the two chunks, and again when the loop has given way");
});

Deno.test("hashFile follows a link that stays inside, and refuses a folder and a missing file", async () => {
  using folder = engineFolder();
  folder.write("sub/a", "abc");
  Deno.symlinkSync("sub/a", `${folder.path}/link`);
  assertEquals((await hashFile(folder.at("link"), { algorithm: "md5" })).hash, KNOWN.abc.md5);
  const refused = (name: string) => refusal(hashFile(folder.at(name), { algorithm: "md5" }));
  assertEquals(await refused("sub"), 'INVALID_INPUT: path is a directory, not a file: "sub"');
  assertEquals(await refused("no"), "NOT_FOUND: file not found: no");
});

function countingSignal(): { signal: AbortSignal; count: () => number } {
  const { signal } = new AbortController();
  let count = 0;
  Object.defineProperty(signal, "aborted", {
    get() {
      count++;
      return false;
    },
  });
  return { signal, count: () => count };
}

Deno.test("hashedContent and sha256 give a content the same hash, however often it is asked for", async () => {
  for (const size of [10, 100_000, 1_000_000]) {
    const bytes = new Uint8Array(size).fill(0x61);
    hashSoon(bytes);
    const { content, hash } = await hashedContent(bytes);
    assertEquals(content, bytes);
    const [first, again] = [await hash(), await hash()];
    const whole = new TextDecoder().decode(bytes);
    assertEquals([first, again, await sha256(bytes)], Array(3).fill(await hexOf(whole)));
    assertEquals(await sha256(bytes.slice(1)), await hexOf(whole.slice(1)));
  }
});
