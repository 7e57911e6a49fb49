import { assertEquals } from "@std/assert";
import { signalMeanings } from "../../src/sandbox/process.ts";

Deno.test("signalMeanings: on Windows the console's own events stop the server, and none reloads", () => {
  const windows = signalMeanings("windows");
  assertEquals(windows, { stop: ["SIGINT", "SIGBREAK", "SIGHUP"], reload: [] });
  for (const os of ["linux", "darwin"] as const) {
    assertEquals(signalMeanings(os), { stop: ["SIGINT", "SIGTERM"], reload: ["SIGHUP"] });
  }
});

Deno.test("signalMeanings: every signal of this system can be handled", () => {
  const { stop, reload } = signalMeanings(Deno.build.os);
  for (const signal of [...stop, ...reload]) {
    const listener = () => {};
    Deno.addSignalListener(signal, listener);
    Deno.removeSignalListener(signal, listener);
  }
});
