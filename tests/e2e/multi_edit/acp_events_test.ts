/** The notifications for an ACP client: two for each call of multi_edit_text_file, before its answer. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { edits, multiEdit, SURFACES } from "./fields.ts";

interface Update {
  method: string;
  // deno-lint-ignore no-explicit-any
  params: { sessionId: string; update: any };
}

function updatesIn(lines: string): Update[] {
  assert(lines.endsWith("\n"));
  return lines.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

for (const surface of SURFACES) {
  Deno.test(`--acp-events reports each call, when it begins and when it has ended (${surface.name})`, async () => {
    using folder = tempFolder();
    const file = `${folder.path}/events.jsonl`;
    await using field = await surface.start([`--acp-events=${file}`, "--acp-session-id=sess_1"]);
    if (Deno.build.os !== "windows") assertEquals((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
    const path = field.write("a.txt", "one\ntwo\n");
    const args = { path, edits: edits(["one", "1"], ["two", "2"]) };
    const { result } = await multiEdit(field, args);
    const [begun, ended, ...rest] = updatesIn(folder.read("events.jsonl")); // written before the answer
    const { id } = begun?.params.update;
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals(begun, {
      method: "session/update",
      params: {
        sessionId: "sess_1",
        update: {
          type: "toolCall",
          id,
          kind: "edit",
          status: "pending",
          title: "multi_edit_text_file (2 edits)",
          locations: [{ path }],
          rawInput: args,
        },
      },
    });
    assertEquals(ended, {
      method: "session/update",
      params: {
        sessionId: "sess_1",
        update: {
          type: "toolCallUpdate",
          id,
          fields: {
            status: "completed",
            rawOutput: result.structuredContent,
            content: [{ type: "text", text: result.structuredContent.diff }],
          },
        },
      },
    });
    assertEquals(rest, []);

    const { error } = await multiEdit(field, { ...field.at("a.txt"), edits: edits(["three", "3"]) });
    assertEquals((await field.server.call(field.readTool, field.at("a.txt"))).isError, false);
    const [again, failed, ...more] = updatesIn(folder.read("events.jsonl")).slice(2);
    assertEquals(again?.params.update.locations, [{ path }]);
    assertEquals(failed?.params.update.id, again?.params.update.id);
    assert(failed?.params.update.id !== id);
    assertEquals(failed?.params.update.fields, {
      status: "failed",
      rawOutput: { error },
      content: [{ type: "text", text: "Edit 0: String not found: three" }],
    });
    assertEquals(more, []);
  });
}

Deno.test("--acp-events=- writes to standard error, as whole lines among those of the log", async () => {
  using folder = tempFolder();
  const path = folder.write("a.txt", "x");
  await using server = new TestServer([folder.path, "--acp-events=-", "--log-format=json"]);
  await server.initialize();
  const long = "y".repeat(1_500_000);
  await multiEdit({ server }, { path, edits: edits(["x", long]) });
  await multiEdit({ server }, { path: 5 });
  assertEquals(await server.end(), 0);
  const lines = server.log.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  const updates = lines.filter(({ method }) => method === "session/update").map(({ params }) => params);
  assertEquals(updates.map(({ update }) => update.status ?? update.fields.status), [
    "pending",
    "completed",
    "pending",
    "failed",
  ]);
  assertEquals(updates[0].update.rawInput.edits[0].new_string, long);
  assertEquals([updates[2].update.locations, updates[2].update.rawInput], [[], { path: 5 }]);
  assertMatch(updates[0].sessionId, /^paddock-\d+$/);
});

Deno.test({
  ...onUnix("--acp-events continues, and so do the error codes, after a reload has moved the tools"),
  fn: async () => {
    using folder = tempFolder();
    const root = (name: string) => `  - { name: ${name}, path: ${name}, allowed_tools: ["*"] }\n`;
    for (const name of ["one", "two"]) folder.write(`${name}/a.txt`, "x");
    const config = folder.write("paddock.yaml", `roots:\n${root("one")}`);
    const args = [`--config=${config}`, "--transport=stdio", `--acp-events=${folder.path}/events.jsonl`];
    await using server = new TestServer(args);
    await server.initialize();
    const edit = (path: string) => multiEdit({ server }, { path, edits: edits(["x", "y"]) });
    assertEquals((await edit(`${folder.path}/two/a.txt`)).error?.code, -32002);
    folder.write("paddock.yaml", `roots:\n${root("one")}${root("two")}`);
    server.kill("SIGHUP");
    await server.logged("config_reloaded");
    assertEquals((await edit(`${folder.path}/two/a.txt`)).result?.structuredContent.applied_count, 1);
    assertEquals((await edit(`${folder.path}/three/a.txt`)).error?.code, -32002);
    const updates = updatesIn(folder.read("events.jsonl"));
    assertEquals(updates.length, 6);
    assertEquals(new Set(updates.map(({ params }) => params.sessionId)).size, 1);

    folder.write("paddock.yaml", `roots:\n${root("one")}  - { name: all, path: ., allowed_tools: ["*"] }\n`);
    server.kill("SIGHUP");
    await server.logged("config_rejected");
    assertStringIncludes(server.log, "where clients can change it");
  },
});

Deno.test("--acp-events refuses a file that clients could reach, and says so before anything is served", async () => {
  using folder = tempFolder();
  folder.write("served/a.txt", "");
  const { code, stderr } = await runToEnd([
    `--acp-events=${folder.path}/served/events.jsonl`,
    `${folder.path}/served`,
  ]);
  assertEquals([code, folder.names()], [1, ["served/", "served/a.txt"]]);
  assertStringIncludes(stderr, "where clients can change it");
});
