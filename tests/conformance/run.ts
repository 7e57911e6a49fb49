// `deno task conformance`: the official conformance suite against this server, as a table; exit code 1 if something
// that applies fails.

import { HttpServer } from "../support/http_server.ts";
import { tempFolder } from "../support/temp.ts";
import { runSuite, SUITES, type Verdict } from "./suite.ts";

function row({ scenario, applies, passed, failed, notApplicable }: Verdict): string {
  const sign = failed.length > 0 ? "✗" : applies ? "✓" : "–";
  const notes = [...failed, ...notApplicable.map((reason) => `not applicable: ${reason}`)];
  return `${sign} ${scenario.padEnd(48)} ${String(passed).padStart(2)} passed  ${notes.join("; ")}`.trimEnd();
}

async function main(): Promise<number> {
  using folder = tempFolder();
  folder.write("a.txt", "hello\n");
  await using server = await HttpServer.start(["--log-level=warn", folder.path]);
  let failures = 0;
  for (const suite of SUITES) {
    console.log(`\nconformance ${suite.version} ${suite.args.join(" ")}`);
    const verdicts = await runSuite(suite, `${server.url}/mcp`);
    for (const verdict of verdicts) console.log(row(verdict));
    failures += verdicts.filter(({ failed }) => failed.length > 0).length;
  }
  console.log(failures === 0 ? "\nEverything that applies passes." : `\n${failures} scenarios fail.`);
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
