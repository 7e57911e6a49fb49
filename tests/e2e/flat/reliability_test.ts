/** Section 4.3: continuing after failures, reporting what failed, and ending properly. */
import { assert, assertEquals } from "@std/assert";
import { HttpServer } from "../../support/http_server.ts";
import { onUnix } from "../../support/needs.ts";
import { linesOf } from "../../support/run_log.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { Flat } from "./faces.ts";

/** Servers that have ended, after failing and other calls: their logs are complete. */
async function afterFailures(): Promise<Flat> {
  await using flat = await Flat.start({ args: ["--log-format=json"] });
  flat.folder.write("a.txt", "a\n");
  await flat.each(async (face) => {
    await face.refused("read_file", { name: "gone.txt" });
    await face.refused("read_file", { name: "../x" });
    await face.refused("edit_file", { name: "a.txt", edits: [{ line: 9, operation: "delete" }] });
    await face.ok("read_file", { name: "a.txt" });
    await face.ok("list_files");
  });
  return flat;
}

Deno.test("4.3 the server continues after calls that fail, and logs each with its context", async () => {
  const { stdio, http } = await afterFailures();
  for (const { log } of [stdio, http]) {
    const calls = linesOf(log, "tool_call");
    const of = (path: string) => calls.filter((line) => line.path === path).map(({ code }) => code);
    assert(of("gone.txt").length >= 2 && of("gone.txt").every((code) => code === "NOT_FOUND"));
    assert(of("../x").length >= 2 && of("../x").every((code) => code === "INVALID_INPUT"));
    for (const line of calls) {
      assert(typeof line.tool === "string" && typeof line.duration_ms === "number", JSON.stringify(line));
      assert(line.outcome === "success" || line.outcome === "error");
    }
  }
});

Deno.test("4.3 the log has the names of files and never their contents", async () => {
  using folder = tempFolder();
  folder.write("diary.txt", "SECRET ONE\n");
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio", "--log-level=debug"]);
  await server.initialize();
  await server.call("read_file", { name: "diary.txt" });
  await server.call("edit_file", { name: "diary.txt", append: "SECRET TWO" });
  await server.call("edit_file", {
    name: "diary.txt",
    edits: [{ line: 99, operation: "insert", content: "SECRET" }],
  });
  await server.end();
  assert(server.log.includes("diary.txt"));
  assert(!server.log.includes("SECRET"), server.log);
});

Deno.test(
  onUnix("4.3 SIGTERM and SIGINT end the server properly, with everything that was answered on disk"),
  async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      using folder = tempFolder();
      await using http = await HttpServer.start([`--dir=${folder.path}`]);
      await using stdio = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
      await stdio.initialize();
      const append = (n: string) => ({
        name: `${n}.txt`,
        append: "x".repeat(100_000),
        create_if_missing: true,
      });
      const pending = stdio.request("edit_file", append("stdio"));
      const answered = fetch(`${http.url}/edit_file`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(append("http")),
      });
      assertEquals((await (await answered).json()).success, true);
      assertEquals((await pending).result.success, true);
      http.kill(signal);
      stdio.kill(signal);
      assertEquals([await http.exit(), await stdio.exit()], [0, 0]);
      assertEquals(folder.names(), ["http.txt", "stdio.txt"]);
      for (const { log } of [http, stdio]) assert(log.includes("server_stopped"), log);
    }
  },
);

Deno.test(onUnix("4.3 a file is whole after the server was killed in the middle of an edit"), async () => {
  using folder = tempFolder();
  const version = (i: number) => `${i}`.padStart(1_000, "0") + "\n";
  const whole = (i: number) => version(i).repeat(200);
  folder.write("file.txt", whole(0));
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
  const edits = (i: number) =>
    Array.from({ length: 200 }, (_, line) => ({
      line: line + 1,
      operation: "replace",
      content: version(i).trimEnd(),
    }));
  await server.request("edit_file", { name: "file.txt", edits: edits(1) });
  for (let i = 2; i < 20; i++) {
    server.request("edit_file", { name: "file.txt", edits: edits(i) }).catch(() => {}); // killed before the call was accepted
  }
  await server.answerTo(5); // in the middle of them
  server.kill("SIGKILL");
  await server.status;
  const text = folder.read("file.txt");
  assertEquals(text, whole(Number(text.slice(0, 1_000))));
  // Leftovers are swept at the next write.
  await using next = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
  assertEquals((await next.request("edit_file", { name: "file.txt", append: "end\n" })).error, undefined);
  assertEquals(folder.names(), ["file.txt"]);
  await next.end();
});
