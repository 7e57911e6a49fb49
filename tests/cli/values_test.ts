import { assertEquals } from "@std/assert";
import { checkAllowedHost, checkCorsOrigin, checkListenHost } from "../../src/cli/net_names.ts";
import { choice, integer, list, oneOf, readText, toggle, type ValueKind } from "../../src/cli/values.ts";

const REFUSED = Symbol("refused");

Deno.test("readText accepts what the kind allows and refuses the rest", () => {
  const hosts = list("hosts", checkAllowedHost);
  const cases: [ValueKind, string, unknown][] = [
    [toggle(), "true", true],
    [toggle(), "false", false],
    [toggle(), "yes", REFUSED],
    [toggle(), "TRUE", REFUSED],
    [integer(1, 10), "1", 1],
    [integer(1, 10), "10", 10],
    [integer(1, 10), "0", REFUSED],
    [integer(1, 10), "11", REFUSED],
    [integer(1, 10), "-1", REFUSED],
    [integer(1, 10), "+1", REFUSED],
    [integer(1, 10), "1.0", REFUSED],
    [integer(1, 10), "1e0", REFUSED],
    [integer(1, 10), "0x1", REFUSED],
    [integer(1, 10), " 1", REFUSED],
    [integer(1, 10), "99999999999999999999999", REFUSED],
    [choice(["a", "b"]), "b", "b"],
    [choice(["a", "b"]), "B", REFUSED],
    [hosts, "a, b ,a", ["a", "b"]],
    [hosts, "a,,b", REFUSED],
    [hosts, "a,", REFUSED],
  ];
  for (const [kind, given, expected] of cases) {
    const checked = readText(kind, given);
    assertEquals("value" in checked ? checked.value : REFUSED, expected, `${kind.type} ${given}`);
  }
});

Deno.test("oneOf joins words as in a sentence", () => {
  assertEquals([oneOf([]), oneOf(["a"]), oneOf(["a", "b"]), oneOf(["a", "b", "c"])], [
    "",
    "a",
    "a or b",
    "a, b or c",
  ]);
});

type Case =
  | readonly [given: string, value: string]
  | readonly [given: string, value: undefined, reason: string];

function checkAll(check: typeof checkListenHost, cases: readonly Case[]) {
  for (const [given, value, reason = ""] of cases) {
    assertEquals(check(given), value === undefined ? { reason } : { value }, given);
  }
}

Deno.test("checkListenHost accepts names and addresses without a port", () => {
  checkAll(checkListenHost, [
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["localhost", "localhost"],
    ["::1", "::1"],
    ["::", "::"],
    ["fe80::1:2", "fe80::1:2"],
    ["[::1]", undefined, "write an IPv6 address without brackets"],
    ["localhost:80", undefined, "the port has its own setting"],
    ["http://localhost", undefined, ""],
    ["a b", undefined, ""],
    ["-a", undefined, ""],
    ["*", undefined, ""],
    ["256.1.1.1", undefined, ""],
    ["::g", undefined, ""],
  ]);
});

Deno.test("checkAllowedHost returns names in the form of URL.hostname", () => {
  const wildcard = "a wildcard would switch off the check that stops DNS rebinding";
  checkAll(checkAllowedHost, [
    ["Files.Example.COM", "files.example.com"],
    ["my_service", "my_service"],
    ["10.0.0.7", "10.0.0.7"],
    ["::1", "[::1]"],
    ["[0:0::1]", "[::1]"],
    ["a:8091", undefined, "leave out the port; any port is accepted"],
    ["*", undefined, wildcard],
    ["*.example.com", undefined, wildcard],
    ["http://a", undefined, ""],
    ["a/b", undefined, ""],
    ["a@b", undefined, ""],
  ]);
});

Deno.test("checkCorsOrigin returns origins in the form in which browsers send them", () => {
  const anyPage = "'*' would let any web page the user visits read and change the files";
  const path = "an origin has no path, not even a final slash";
  checkAll(checkCorsOrigin, [
    ["https://app.example.com", "https://app.example.com"],
    ["HTTP://App.Example.com:80", "http://app.example.com"],
    ["http://localhost:5173", "http://localhost:5173"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["*", undefined, anyPage],
    ["https://*.example.com", undefined, anyPage],
    ["null", undefined, "any sandboxed page has the origin 'null'"],
    ["https://a/", undefined, path],
    ["https://a/b", undefined, path],
    ["https://a?x", undefined, path],
    ["https://a#x", undefined, path],
    ["app.example.com", undefined, ""],
    ["ftp://a", undefined, ""],
    ["file:///a", undefined, ""],
    ["https://user@a", undefined, path],
    ["https://a:99999", undefined, ""],
    ["https://", undefined, ""],
  ]);
});
