/** The longest task of a page's main thread while something happens, according to Chromium's own trace. */
import type { Page } from "../tests/packages/browser.ts";

export interface LongestTask {
  /** As a person experiences it, including delays by other programs. */
  readonly wallMs: number;
  /** Processor time, which does not depend on what else is running. */
  readonly processorMs: number;
}

/** An entry of a trace; times are microseconds. */
interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export async function longestTask(page: Page, action: () => Promise<void>): Promise<LongestTask> {
  const traced = await trace(page, action);
  const thread = ({ pid, tid }: Traced) => `${pid} ${tid}`;
  const named = (one: Traced) => one.name === "thread_name" && one.args?.name === "CrRendererMain";
  const main = new Set(traced.filter(named).map(thread));
  const tasks = traced.filter((one) => one.name.endsWith("RunTask") && main.has(thread(one)));
  if (tasks.length === 0) throw new Error("the trace has no task of the page");
  const longest = (field: "dur" | "tdur") =>
    tasks.reduce((most, task) => Math.max(most, task[field] ?? 0), 0) / 1_000;
  return { wallMs: longest("dur"), processorMs: longest("tdur") };
}

async function trace(page: Page, action: () => Promise<void>): Promise<Traced[]> {
  const session = await page.context().newCDPSession(page);
  const traced: Traced[] = [];
  session.on("Tracing.dataCollected", ({ value }) => traced.push(...value as unknown as Traced[]));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"], excludedCategories: ["*"] },
  });
  await action();
  const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  return traced;
}
