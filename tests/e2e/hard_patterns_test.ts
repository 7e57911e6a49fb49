/** The whole server with malicious patterns: they end in time, and it keeps answering. */
import { assert, assertEquals } from "@std/assert";
import { hardLine } from "../engine/search/support.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const PATTERNS = [
  "(a+)+$",
  "(x+x+)+y",
  "(a|aa)+$",
  "(?:a?){500}a{500}b",
  "[ab]*a[ab]{20}c",
  "(.*)*x(.*)*y(.*)*z",
  "(?i)(\\w+\\s?)*!$",
];
/** Nearly every byte of the line leads to a new state: only the time limit ends it. */
const ENDLESS = "(a|b)*a(a|b){999}$";

Deno.test("hard patterns on long lines end at their deadlines, and pings are answered before that", async () => {
  using folder = tempFolder();
  const line = hardLine(3_000_000);
  Deno.writeFileSync(`${folder.path}/line`, line);
  Deno.writeFileSync(`${folder.path}/long`, new Uint8Array(30_000_000).fill(0x61));
  await using server = new TestServer([folder.path]);
  await server.initialize();
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const args = { root, path: "line", pattern: ENDLESS, timeout_seconds: 60 };
  let isPending = true;
  const waiting = server.request("tools/call", { name: "grep", arguments: args }, "endless");
  waiting.finally(() => isPending = false);
  for (let i = 0; i < 5; i++) assertEquals((await server.request("ping")).result, {});
  assert(isPending, "a ping waited for the search");
  const search = (pattern: string, path: string) =>
    server.call("grep", { root, path, pattern, timeout_seconds: 1 });
  assertEquals((await search(ENDLESS, "line")).value.timed_out, true);
  assert(isPending, "a search waited for another");
  await server.notify("notifications/cancelled", { requestId: "endless" });
  const found = await Promise.all(PATTERNS.map((pattern) => search(pattern, "long")));
  assertEquals(found.map(({ isError }) => isError), PATTERNS.map(() => false));
  const [first, , third] = found;
  for (const answer of [first, third]) {
    assert(answer?.value.timed_out || answer?.value.total_matches === 1, answer?.text.slice(0, 200));
  }
});
