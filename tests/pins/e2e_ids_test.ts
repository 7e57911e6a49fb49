import { assertEquals } from "@std/assert";
import { REPOSITORY } from "../support/server.ts";

const FOLDER = `${REPOSITORY}tests/e2e/spec`;

/** The numbers of the tests that are registered in tests/e2e/spec. One that is commented out does not count. */
function registered(): string[] {
  return [...Deno.readDirSync(FOLDER)].filter(({ name }) => name.endsWith("_test.ts")).flatMap(({ name }) => {
    const source = Deno.readTextFileSync(`${FOLDER}/${name}`);
    return [...source.matchAll(/^e2e\(\s*["`](E2E-\d{3}): \S/gm)].map(([, id = ""]) => id);
  });
}

Deno.test("each of the specification's 84 end-to-end tests exists, once", () => {
  const wanted = Array.from({ length: 84 }, (_, i) => `E2E-${String(i + 1).padStart(3, "0")}`);
  assertEquals(registered().sort(), wanted);
});
