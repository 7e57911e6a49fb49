import { assertEquals } from "@std/assert";
import { hashedContent, sha256 } from "../../src/engine/hash.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("sha256 gives the same before and after Node's module is loaded", async () => {
  const [empty, abc] = [new Uint8Array(0), new TextEncoder().encode("xabcx").subarray(1, 4)];
  const both = async () => [await sha256(empty), await sha256(abc)];
  assertEquals(await both(), [EMPTY, ABC]);
  assertEquals((await hashedContent(abc)).hash(), ABC); // loads it
  assertEquals(await both(), [EMPTY, ABC]);
});
