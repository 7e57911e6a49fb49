/** The CI configuration matches what exists: systems, targets, tasks, and one version of Deno. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { TARGETS } from "../../build/targets.ts";
import { REPOSITORY } from "../support/server.ts";

interface Job {
  "runs-on": string;
  strategy?: { matrix: { os?: string[]; include?: { os: string; target: string }[] } };
  steps: { run?: string; uses?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}

const text = (name: string) => Deno.readTextFileSync(`${REPOSITORY}${name}`);
const jobsOf = (name: string): Record<string, Job> => parse(text(`.github/workflows/${name}.yml`)).jobs;
const ci = jobsOf("ci");
const release = jobsOf("release");
const steps = [ci, release].flatMap((jobs) => Object.values(jobs)).flatMap((job) => job.steps);

/** Which processor and system a runner has. */
const RUNNERS: Record<string, RegExp> = {
  "ubuntu-latest": /^x86_64-.*-linux-gnu$/,
  "ubuntu-24.04-arm": /^aarch64-.*-linux-gnu$/,
  "macos-latest": /^aarch64-apple-darwin$/,
  "macos-15-intel": /^x86_64-apple-darwin$/,
  "windows-latest": /^x86_64-pc-windows-msvc$/,
  "windows-11-arm": /^aarch64-pc-windows-msvc$/,
};

Deno.test("CI runs the suite on every runner, and the smoke test of each target on a runner of its kind", () => {
  assertEquals(ci.test?.strategy?.matrix.os?.toSorted(), Object.keys(RUNNERS).toSorted());
  for (const jobs of [ci, release]) {
    const rows = jobs.smoke?.strategy?.matrix.include ?? [];
    assertEquals(rows.map(({ target }) => target).toSorted(), [...TARGETS].toSorted());
    for (const { os, target } of rows) assert(RUNNERS[os]?.test(target), `${target} on ${os}`);
  }
});

Deno.test("CI only calls existing tasks, and uses one version of Deno throughout", () => {
  const { tasks } = JSON.parse(text("deno.json"));
  const versions = new Set<unknown>();
  for (const { run = "", uses = "", with: given } of steps) {
    for (const [, task = ""] of run.matchAll(/\btask ([\w:]+)/g)) assert(task in tasks, task);
    for (const [, version] of run.matchAll(/\bdeno@([\d.]+)/g)) versions.add(version);
    if (uses.startsWith("denoland/setup-deno@")) versions.add(given?.["deno-version"]);
  }
  assertEquals([...versions], ["2.9.6"]);
});

Deno.test("CI configures git for CRLF, so that the format check sees a checkout with CRLF", () => {
  const { steps: [configure, checkout] = [], "runs-on": runner } = ci.crlf ?? {};
  assertEquals(runner, "windows-latest");
  assert(configure?.run?.includes("core.autocrlf true"));
  assert(checkout?.uses?.startsWith("actions/checkout@"));
});
