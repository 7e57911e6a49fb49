import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import { parseResourceUri, resourceUri } from "../../src/text/resource_uri.ts";
import { anyCharacter } from "../support/any_character.ts";

const READ: [name: string, uri: string, root: string, path: string][] = [
  ["a plain path", "paddock://src/a/b.txt", "src", "a/b.txt"],
  ["percent-encoded names", "paddock://my%20root/a%20b/%C3%BC%25.txt", "my root", "a b/ü%.txt"],
  ["names as they are", "paddock://src/ü ß.txt", "src", "ü ß.txt"],
  ["characters that are special elsewhere", "paddock://src/a?b#c=d&e", "src", "a?b#c=d&e"],
  ["an encoded slash, which is one", "paddock://src/a%2Fb", "src", "a/b"],
  ["only one decoding", "paddock://src/%252e%252e/x", "src", "%2e%2e/x"],
  ["dots, which the fence refuses", "paddock://src/%2e%2e/x", "src", "../x"],
  ["a root alone", "paddock://src", "src", ""],
  ["a root with its slash", "paddock://src/", "src", ""],
  ["a scheme in capitals", "PADDOCK://src/a", "src", "a"],
  ["NUL, which the fence refuses", "paddock://src/a%00b", "src", "a\0b"],
];

for (const [name, uri, root, path] of READ) {
  Deno.test(`parseResourceUri accepts ${name}`, () => assertEquals(parseResourceUri(uri), { root, path }));
}

for (
  const [uri, code] of [
    ["file:///etc/passwd", "NOT_FOUND"],
    ["paddock:src/a", "NOT_FOUND"],
    ["paddock:///a", "NOT_FOUND"],
    ["paddock://", "NOT_FOUND"],
    [`paddock://src/${"a".repeat(20_000)}`, "NOT_FOUND"],
    ["paddock://src/100%.txt", "INVALID_INPUT"],
    ["paddock://src/%ff.txt", "INVALID_INPUT"],
    ["paddock://src/%zz", "INVALID_INPUT"],
  ]
) {
  Deno.test(`parseResourceUri refuses ${uri?.slice(0, 40)}`, () => {
    assertEquals(assertThrows(() => parseResourceUri(uri ?? ""), PaddockError).code, code);
  });
}

Deno.test("parseResourceUri returns what resourceUri was given, whatever the names", () => {
  const name = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }).filter((text) =>
    !text.includes("/") && text.isWellFormed()
  );
  fc.assert(fc.property(name, fc.array(name, { minLength: 1, maxLength: 4 }), (root, names) => {
    const path = names.join("/");
    const uri = resourceUri({ root, path });
    assertEquals(parseResourceUri(uri), { root, path });
    assertEquals(/^[\x21-\x7e]+$/.test(uri), true);
  }));
});
