import { assertEquals, assertMatch } from "@std/assert";
import { JSR_NAME, NAME, VERSION } from "../../src/base/version.ts";
import settings from "../../deno.json" with { type: "json" };

Deno.test("VERSION is that of deno.json, in three numbers", () => {
  assertEquals(VERSION, settings.version);
  assertMatch(VERSION, /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);
});

Deno.test("NAME is the last part of the package's name in deno.json", () => {
  assertEquals(settings.name, `@${NAME}/${NAME}`);
  assertEquals(settings.name, JSR_NAME);
});
