import { assert, assertEquals } from "@std/assert";
import { PAGE } from "../../src/console/page.ts";
import { bundleConsole } from "../support/bundle_console.ts";

Deno.test("the console's page in the program is the current bundle of its sources", async () => {
  const bundled = await bundleConsole();
  assertEquals(Object.keys(PAGE), Object.keys(bundled));
  for (const [path, file] of Object.entries(bundled)) {
    assert(PAGE[path]?.body === file.body && PAGE[path].type === file.type, "run `deno task console:bundle`");
  }
});

Deno.test("the console's page is small, and contacts only its own server", () => {
  const texts = Object.values(PAGE).map(({ body }) => body);
  const size = new TextEncoder().encode(texts.join("")).length;
  assert(size <= 120_000, `${size} bytes`);
  const addresses = texts.join("\n").match(/https?:\/\/[^\s"'`)]+/g) ?? [];
  assertEquals(addresses.filter((address) => !address.startsWith("http://www.w3.org/")), []);
});

Deno.test("the console's page has no inline script or style in its markup", () => {
  const html = PAGE[""]?.body ?? "";
  assertEquals(html.match(/<script(?![^>]*\ssrc=)[^>]*>|<style|\son\w+=|\sstyle=/gi), null);
});
