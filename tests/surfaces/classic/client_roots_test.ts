import { assertEquals } from "@std/assert";
import { pathOf } from "../../../src/surfaces/classic/client_roots.ts";
import { onUnix } from "../../support/needs.ts";

const CASES: readonly [uri: string, path: string | undefined][] = [
  ["file:///a/b", "/a/b"],
  ["file:///a/b/", "/a/b"],
  ["FILE:///a", "/a"],
  ["file://localhost/a", "/a"],
  ["file://elsewhere/a", undefined],
  ["file:///a%20b/%C3%A9", "/a b/é"],
  ["file:///a/%2e%2e/b", "/b"],
  ["file:///a/../../b", "/b"],
  ["file:///a%2fb", undefined],
  ["file:///a%2Fb", undefined],
  ["file:///a%00b", undefined],
  ["file:///a%ff", undefined],
  ["file:///a%5cb", "/a\\b"],
  ["file:///a?b#c", "/a"],
  ["/a/b", "/a/b"],
  ["~/a", "~/a"],
  ["~", "~"],
  ["~someone/a", undefined],
  ["a/b", undefined],
  ["", undefined],
  ["https://example.com/a", undefined],
  ["vscode-remote://host/a", undefined],
  ["data:,a", undefined],
];

for (const [uri, path] of CASES) {
  Deno.test(onUnix(`pathOf ${uri} is ${path}`), () => assertEquals(pathOf(uri, false), path));
}

Deno.test("pathOf accepts the drives of Windows", () => {
  assertEquals(pathOf("file:///C:/a%20b/c", true), "C:\\a b\\c");
  assertEquals(pathOf("file:///C:/a%5cb", true), undefined);
});
