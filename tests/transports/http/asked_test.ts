import { assertEquals } from "@std/assert";
import { Asked } from "../../../src/transports/http/asked.ts";

Deno.test("Asked.whenGone calls back once the client has gone, at once if it already has", () => {
  const asked = new Asked(new Headers());
  const told: string[] = [];
  asked.whenGone(() => told.push("before"));
  assertEquals(told, []);
  asked.gone();
  asked.gone();
  asked.whenGone(() => told.push("after"));
  assertEquals(told, ["before", "after"]);
});

Deno.test("Asked.signal is aborted when the client goes, whether asked for before or after", () => {
  const [early, late] = [new Asked(new Headers()), new Asked(new Headers())];
  const { signal } = early;
  assertEquals(signal.aborted, false);
  early.gone();
  late.gone();
  assertEquals([signal.aborted, early.signal === signal, late.signal.aborted], [true, true, true]);
});
