/** Many large bodies at once, and many large answers: the server's memory stays limited, and small calls continue. */
import { assert, assertEquals } from "@std/assert";
import { SessionClient } from "../support/http_client.ts";
import { HttpServer, pause } from "../support/http_server.ts";
import { onLinux } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const MB = 1024 * 1024;

Deno.test({
  ...onLinux(
    "a server with 80 unfinished bodies of 10 MB accepts no more than its budget, and answers others",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "hello\n");
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    await using server = await HttpServer.start(["--log-level=warn", folder.path]);
    const client = await SessionClient.begin(server.url);
    const before = server.memory();
    const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
      `Content-Length: ${10 * MB}\r\n\r\n`;
    const part = new Uint8Array(10 * MB - 1_000).fill(0x20);
    const connections = await Promise.all(Array.from({ length: 80 }, async () => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      await connection.write(new TextEncoder().encode(head));
      const send = async () => {
        for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
      };
      send().catch(() => {}); // most of it is not accepted
      return connection;
    }));
    let most = 0;
    for (let i = 0; i < 20; i++) {
      await pause(100);
      most = Math.max(most, server.memory());
      assertEquals((await client.call("read_file", { root, path: "a.txt" })).text, "hello\n");
    }
    assert(most - before < 512 * MB, `it has taken ${Math.round((most - before) / MB)} MB`);
    for (const connection of connections) connection.close();
  },
});

Deno.test("many large reads at once are all answered, one after the other", async () => {
  using folder = tempFolder();
  folder.write("large.txt", "a line of text\n".repeat(600_000));
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  await using server = await HttpServer.start(["--log-level=warn", "--timeout=120", folder.path]);
  const client = await SessionClient.begin(server.url);
  const read = async () => {
    const { text } = await client.call("read_file", { root, path: "large.txt", offset_lines: 1 });
    return text.length;
  };
  const lengths = await Promise.all(Array.from({ length: 6 }, read));
  assertEquals(lengths, Array(6).fill(9_000_000));
});
