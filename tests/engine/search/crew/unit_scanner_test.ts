import { assertEquals } from "@std/assert";
import { UnitScanner } from "../../../../src/engine/search/crew/unit_scanner.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { engineFolder } from "../../../support/engine.ts";
import { withClock } from "../support.ts";

Deno.test("UnitScanner returns the rest of a unit that takes long, a few files at a time", async () => {
  using folder = engineFolder();
  const names = Array.from({ length: 40 }, (_, i) => `f${i + 10}`);
  for (const name of names) folder.write(name, "x\n");
  const sought = { pattern: "x", caseInsensitive: false, contextLines: 0, maxResults: 100 };
  const partsOf = async () => {
    const scanner = new UnitScanner(folder.at(""), { sought, time: new SearchTime({}) });
    const { parts } = await scanner.run({ kind: "files", prefix: "", names });
    return parts.map((part) => "found" in part ? part.found.searched : "names" in part ? part.names : part);
  };
  assertEquals(await withClock(0, partsOf), [40]);
  const [, ...left] = names;
  assertEquals(await withClock(150, partsOf), [1, left.slice(0, 16), left.slice(16, 32), left.slice(32)]);
});
