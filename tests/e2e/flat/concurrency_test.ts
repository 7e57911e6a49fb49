/** Sections 2.4 and 5.3: several calls, several processes, one file. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { post } from "../../support/http_client.ts";
import { eventually, HttpServer } from "../../support/http_server.ts";
import { LockHolder } from "../../support/lock_holder.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--timeout=60"] });

const PROCESSES = 5;
const EDITS = 50;

Deno.test("2.4 five processes with fifty concurrent edits each lose none of them", async () => {
  using folder = tempFolder();
  const lines = Array.from({ length: 1_600 }, (_, i) => `line ${i} `.padEnd(63, "x"));
  folder.write("shared.txt", lines.join("\n") + "\n");
  assert(Deno.statSync(`${folder.path}/shared.txt`).size >= 100 * 1024);
  const start = () => HttpServer.start([`--dir=${folder.path}`, "--timeout=120"]);
  const servers = await Promise.all(Array.from({ length: PROCESSES }, start));
  try {
    const edit = async (server: HttpServer, line: number, content: string) => {
      const edits = [{ line, operation: "replace", content }];
      const response = await post(`${server.url}/edit_file`, { name: "shared.txt", edits });
      assertEquals(await response.json(), {
        success: true,
        lines_modified: 1,
        file_created: false,
        new_total_lines: lines.length,
      });
    };
    const all = servers.flatMap((server, process) =>
      Array.from({ length: EDITS }, (_, i) => {
        const line = i * PROCESSES + process; // neighbours come from different processes
        lines[line] = `process ${process}, edit ${i}`;
        return edit(server, line + 1, lines[line] ?? "");
      })
    );
    await Promise.all(all);
    assertEquals(folder.read("shared.txt"), lines.join("\n") + "\n");
    assertEquals(folder.names(), ["shared.txt"]);
  } finally {
    for (const server of servers) server.kill("SIGTERM");
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
});

Deno.test("2.4 concurrent appends over every interface are all there, each whole", async () => {
  const texts: string[] = [];
  const calls = flat().faces.flatMap((face, i) =>
    Array.from({ length: 12 }, (_, j) => {
      const text = `${i}-${j} `.padEnd(200, "x");
      texts.push(text);
      return face.ok("edit_file", { name: "appended.txt", append: `${text}\n`, create_if_missing: true });
    })
  );
  await Promise.all(calls);
  const lines = flat().folder.read("appended.txt").split("\n");
  assertEquals(lines.pop(), "");
  assertEquals(lines.sort(), texts.sort());
});

Deno.test("2.4 if several calls create a file at once, one has created it and none has lost its line", async () => {
  const { faces, folder } = flat();
  for (let round = 0; round < 5; round++) {
    const name = `created-${round}.txt`;
    const answers = await Promise.all(
      faces.map((face, i) => face.ok("edit_file", { name, append: `${i}\n`, create_if_missing: true })),
    );
    const created = answers.filter((answer) => answer.file_created ?? /File created: true$/.test(answer));
    assertEquals(created.length, 1);
    assertEquals(folder.read(name).split("\n").sort(), ["", "0", "1", "2", "3", "4"]);
  }
});

Deno.test("2.4 readers see the old or the new content and never a mixture", async () => {
  const { folder } = flat();
  const version = (i: number) => `${String(i % 10).repeat(100)}\n`.repeat(500);
  folder.write("versions.txt", version(0));
  let writing = true;
  const writes = (async () => {
    for (let i = 1; i <= 10; i++) {
      const edits = Array.from({ length: 500 }, (_, line) => ({
        line: line + 1,
        operation: "replace",
        content: String(i % 10).repeat(100),
      }));
      await flat().rest.ok("edit_file", { name: "versions.txt", edits });
    }
    writing = false;
  })();
  let reads = 0;
  while (writing) {
    for (const face of ["bare", "rest"] as const) {
      const { content } = await flat().face(face).ok("read_file", { name: "versions.txt" });
      assertEquals(`${content}\n`, version(Number(content[0])));
      reads++;
    }
  }
  await writes;
  assert(reads > 0);
});

Deno.test("2.4 edit_file waits for a lock that another process holds, and no longer than --timeout", async () => {
  using folder = tempFolder();
  const path = folder.write("locked.txt", "a\n");
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio", "--timeout=1"]);
  await using holder = await LockHolder.start(path);
  // Each call has one second, which on a busy machine may be over before it asks for the lock: then try again.
  const { error } = await eventually(
    () => server.request("edit_file", { name: "locked.txt", append: "b\n" }),
    ({ error }) => !error?.message.startsWith("timed out"),
  );
  assertEquals(error?.code, -32001);
  assertMatch(error?.message ?? "", /^could not lock "locked.txt": another call or process kept it/);
  const { text, isError } = await eventually(
    () => server.call("edit_file", { name: "locked.txt", append: "b\n" }),
    ({ text }) => !text.includes("timed out"),
  );
  assert(isError);
  assertMatch(text, /^Error: could not lock "locked.txt"/);
  // Reading needs no lock.
  const made = async (name: string, args: Record<string, unknown>) =>
    (await eventually(() => server.call(name, args), ({ isError }) => !isError)).isError;
  assertEquals(await made("read_file", { name: "locked.txt" }), false);
  assertEquals(folder.read("locked.txt"), "a\n");
  await holder.release();
  assertEquals(await made("edit_file", { name: "locked.txt", append: "b\n" }), false);
  assertEquals(folder.read("locked.txt"), "a\nb\n");
});

Deno.test("4.2 a lock dies with the process that held it", async () => {
  const { folder, stdio } = flat();
  await using holder = await LockHolder.start(folder.write("orphan.txt", "a\n"));
  const edit = flat().mcp.ok("edit_file", { name: "orphan.txt", append: "b\n" });
  await stdio.request("ping"); // which does not wait for calls before it
  assertEquals(folder.read("orphan.txt"), "a\n");
  await holder.kill();
  await edit;
  assertEquals(folder.read("orphan.txt"), "a\nb\n");
});
