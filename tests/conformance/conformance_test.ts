import { assert, assertEquals } from "@std/assert";
import { HttpServer } from "../support/http_server.ts";
import { tempFolder } from "../support/temp.ts";
import { CHECKS, SCENARIOS } from "./not_applicable.ts";
import { judge, runSuite, SUITES } from "./suite.ts";

/** The rest is for `deno task conformance`. */
const NEWEST = SUITES.filter(({ args }) => args.includes("2026-07-28"));

Deno.test("the conformance suite for the newest revision passes as far as it applies", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start(["--log-level=warn", folder.path]);
  for (const suite of NEWEST) {
    const verdicts = await runSuite(suite, `${server.url}/mcp`);
    assertEquals(
      verdicts.flatMap(({ scenario, failed }) => failed.map((text) => `${scenario}: ${text}`)),
      [],
    );
    const applied = verdicts.filter(({ applies }) => applies).map(({ scenario }) => scenario);
    assertEquals(applied.includes("server-stateless") && applied.includes("http-header-validation"), true);
  }
});

const [scenario = ""] = Object.keys(SCENARIOS);
const [check = ""] = Object.keys(CHECKS);
const passed = { id: "a", status: "SUCCESS" };
const failed = { id: "b", status: "FAILURE", errorMessage: "wrong" };
const warned = { id: "b", status: "WARNING", errorMessage: "odd" };
const skipped = { id: "c", status: "SKIPPED" };
const wire = { id: "wire-schema-valid", status: "FAILURE", errorMessage: "no such field" };

const CASES: [name: string, scenario: string, checks: (typeof failed | typeof passed)[], failed: string[]][] =
  [
    ["all pass", "ping", [passed, skipped], []],
    ["one fails", "ping", [passed, failed], ["b: wrong"]],
    ["one warns", "ping", [passed, warned], ["b: odd"]],
    ["nothing is checked", "ping", [], ["it has checked nothing"]],
    ["what fails does not apply", "ping", [passed, { ...failed, id: check }], []],
    ["the scenario does not apply", scenario, [failed, warned], []],
    ["a message is invalid, in whatever scenario", scenario, [failed, wire], [
      "wire-schema-valid: no such field",
    ]],
    ["it passes though it does not apply", scenario, [passed], [
      "it passes, but is listed as not applicable",
    ]],
  ];

for (const [name, of, checks, wanted] of CASES) {
  Deno.test(`judge finds ${wanted.length === 0 ? "nothing" : "fault"} when ${name}`, () => {
    assertEquals(judge(of, checks).failed, wanted);
  });
}

Deno.test("everything that does not apply has a reason", () => {
  for (const reason of Object.values({ ...SCENARIOS, ...CHECKS })) assert(reason.length > 15);
});
