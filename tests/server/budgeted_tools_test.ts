import { assertEquals } from "@std/assert";
import { ByteBudget } from "../../src/base/byte_budget.ts";
import { BudgetedTools } from "../../src/server/budgeted_tools.ts";
import type { ToolCall } from "../../src/tools/tool.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Calls that ask for this much room, and end when released. */
function toys(total: number) {
  const budget = new ByteBudget(total);
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const tools = new BudgetedTools({
    list: () => [],
    accessOf: () => "read",
    call: async (name, bytes, call) => {
      await call.room?.(bytes as number);
      begun.push(name);
      await gate.promise;
      return { content: [{ type: "text", text: name }] };
    },
  }, budget);
  const call: ToolCall = { signal: new AbortController().signal, requestId: 1, client: undefined };
  return { budget, begun, gate, call: (name: string, bytes: number) => tools.call(name, bytes, call) };
}

Deno.test("BudgetedTools.call lets calls build their answers only as far as the budget allows, in order", async () => {
  const { budget, begun, gate, call } = toys(8_000);
  const calls = [call("a", 400), call("b", 400), call("c", 400)];
  await turn();
  assertEquals([begun, budget.waiting], [["a", "b"], 1]);
  gate.resolve();
  assertEquals((await Promise.all(calls)).map((result) => result?.content[0].text), ["a", "b", "c"]);
  await turn();
  assertEquals([begun, budget.used], [["a", "b", "c"], 0]);
});

Deno.test("BudgetedTools.call holds its share until its answer has been turned into bytes", async () => {
  const { budget, gate, call } = toys(8_000_000);
  gate.resolve();
  await call("a", 400_000);
  assertEquals(budget.used, 3_200_000);
  await turn();
  assertEquals(budget.used, 0);
});
