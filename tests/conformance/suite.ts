/** Runs the official conformance suite, from npm, against a server, and judges what it found. */
import { CHECKS, SCENARIOS } from "./not_applicable.ts";

export interface Suite {
  readonly version: string;
  readonly args: readonly string[];
}

export const SUITES: readonly Suite[] = [
  { version: "0.1.16", args: ["--suite", "all"] },
  { version: "0.2.0-alpha.12", args: ["--requirements", "2025-11-25"] },
  { version: "0.2.0-alpha.12", args: ["--requirements", "2026-07-28"] },
];

export interface Verdict {
  readonly scenario: string;
  /** Whether the scenario is for this server at all. */
  readonly applies: boolean;
  readonly passed: number;
  /** Checks that failed and should not have, one sentence each. */
  readonly failed: readonly string[];
  /** Why it does not apply, completely or in part. */
  readonly notApplicable: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description?: string;
  readonly errorMessage?: string;
}

/** Every message is valid according to the schema of its revision: any server must meet that. */
const ALWAYS = "wire-schema-valid";

export async function runSuite({ version, args }: Suite, url: string): Promise<Verdict[]> {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-conformance-" });
  try {
    const suite = [`npm:@modelcontextprotocol/conformance@${version}`, "server", "--url", url, ...args];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", ...suite, "--output-dir", `${folder}/results`],
      cwd: folder,
      stdin: "null",
      env: { NO_COLOR: "1" },
    }).output(); // its exit code does not know what applies
    const verdicts = [...read(`${folder}/results`)].sort((a, b) => a.scenario < b.scenario ? -1 : 1);
    if (verdicts.length > 0) return verdicts;
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    throw new Error(`the suite has not run:\n${said.slice(-2_000)}`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function* read(folder: string): Generator<Verdict> {
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
      yield judge(scenario, JSON.parse(Deno.readTextFileSync(`${folder}/${name}/checks.json`)));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Interprets the checks of a scenario, considering what does not apply. */
export function judge(scenario: string, checks: readonly Check[]): Verdict {
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  const whole = SCENARIOS[scenario];
  const notApplicable = new Set(whole === undefined ? [] : [whole]);
  const failed: string[] = [];
  let excused = 0;
  for (const { id, status, errorMessage, description } of checks) {
    if (status !== "FAILURE" && status !== "WARNING") continue;
    const reason = id === ALWAYS ? undefined : CHECKS[id] ?? whole;
    if (reason === undefined) failed.push(`${id}: ${errorMessage ?? description ?? status}`);
    else {
      excused++;
      notApplicable.add(reason);
    }
  }
  const others = checks.filter(({ id, status }) => status === "SUCCESS" && id !== ALWAYS).length;
  if (whole !== undefined && excused === 0 && others > 0) {
    failed.push("it passes, but is listed as not applicable");
  }
  if (whole === undefined && checks.length === 0) failed.push("it has checked nothing");
  return { scenario, applies: whole === undefined, passed, failed, notApplicable: [...notApplicable] };
}
