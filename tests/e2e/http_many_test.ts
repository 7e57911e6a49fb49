/** Many clients at once: every answer reaches the right one. */
import { assertEquals } from "@std/assert";
import { eventsIn, ModernClient, SessionClient } from "../support/http_client.ts";
import { HttpServer } from "../support/http_server.ts";
import type { Message } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let server: HttpServer;
let root: string;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  for (let i = 0; i < 50; i++) folder.write(`${i}.txt`, `text of ${i}\n`.repeat(20));
  server = await HttpServer.start(["--log-level=warn", folder.path]);
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function reads(id: number, meta = {}) {
  const args = { root, path: `${id % 50}.txt`, offset_lines: 1, limit_lines: 1 };
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "read_file", arguments: args, _meta: meta },
  };
}

Deno.test("no answer crosses between two sessions that use the ids 1 to 500 at once", async () => {
  const sessions = [await SessionClient.begin(server.url), await SessionClient.begin(server.url)];
  // The second client asks for other files under the same ids, and also wants streams.
  const ask = async (which: number, id: number) => {
    const asked = (id + which * 25) % 50;
    const message = reads(asked, which === 1 ? { progressToken: id } : {});
    const response = await sessions[which]?.send({ ...message, id });
    const text = await response?.text() ?? "";
    const [answer]: Message[] = which === 1 ? eventsIn(text) : [JSON.parse(text)];
    return [answer?.id, answer?.result.content[0].text] as const;
  };
  const ids = Array.from({ length: 500 }, (_, i) => i + 1);
  const answers = await Promise.all(ids.flatMap((id) => [ask(0, id), ask(1, id)]));
  const wanted = ids.flatMap((id) => [[id, `text of ${id % 50}\n`], [id, `text of ${(id + 25) % 50}\n`]]);
  assertEquals(answers.map((answer) => [...answer]), wanted as [number, string][]);
});

Deno.test("fifty clients at once get the right answers to twenty calls each", async () => {
  const before = await server.metric("requests_total");
  const work = Array.from({ length: 50 }, async (_, which) => {
    const http = Deno.createHttpClient({});
    const modern = new ModernClient(server.url, { client: http });
    const client = which % 2 === 0
      ? await SessionClient.begin(server.url, "2025-11-25", { client: http })
      : { call: (name: string, args: Record<string, unknown>) => modern.call(name, args) };
    const own = `own-${which}.txt`;
    const texts = [];
    for (let i = 0; i < 5; i++) {
      const content = `${which} wrote ${i}`;
      const written = await client.call("write_file", { root, path: own, content, mode: "overwrite" });
      assertEquals(written.isError, false);
      const [mine, shared, stat] = await Promise.all([
        client.call("read_file", { root, path: own }),
        client.call("read_file", { root, path: `${which}.txt`, offset_lines: i + 1, limit_lines: 1 }),
        client.call("stat_file", { root, path: own }),
      ]);
      texts.push(
        mine.text === content,
        shared.text === `text of ${which}\n`,
        stat.value.size === content.length,
      );
    }
    http.close();
    return texts.every((right) => right) && texts.length === 15;
  });
  assertEquals((await Promise.all(work)).filter((right) => !right), []);
  assertEquals(await server.metric("requests_total") - before, 50 * 20 + 25);
  assertEquals(await server.metric("calls_in_flight"), 0);
});
