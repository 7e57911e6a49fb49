/** Uses the client configurations and the program that the README and the clients' guide recommend. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { blocks, inlineCode, pages } from "../docs/pages.ts";
import { HttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { clientEnv, MAIN, REPOSITORY, serverCommand } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const PAGES = pages().filter(({ path }) => ["README.md", "docs/guides/clients.md"].includes(path));
const BLOCKS = PAGES.flatMap(blocks);
const NPX = ["npx", "-y", "paddock-mcp"];
/** Placeholders in the documents. */
const PROJECT = "/path/to/your/project";

interface ClientEntry {
  command: string;
  args: string[];
}

/** The entry for paddock in a client's configuration, whatever the client calls the list. */
function entryOf(json: string): ClientEntry {
  const [servers] = Object.values(JSON.parse(json)) as [{ paddock: ClientEntry }];
  return servers.paddock;
}

/** Reads a file of the project, as a client that was told to start this. */
async function readThrough([command = "", ...args]: string[]): Promise<void> {
  using folder = tempFolder();
  folder.write("hello.txt", "hello\n");
  const transport = new StdioClientTransport({
    command,
    args: args.map((arg) => arg === PROJECT ? folder.path : arg),
    env: clientEnv(),
    stderr: "ignore",
  });
  const client = new Client({ name: "readme", version: "1" });
  await client.connect(transport);
  try {
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    const result = await client.callTool({ name: "read_file", arguments: { root, path: "hello.txt" } });
    assertEquals((result.content as { text: string }[])[0]?.text, "hello\n");
  } finally {
    await client.close();
  }
}

Deno.test("the configurations of all clients start the same server, and a client works with it", async () => {
  const entries = BLOCKS.filter(({ language }) => language === "json").map(({ text }) => entryOf(text));
  assert(entries.length >= 4);
  const lines = entries.map(({ command, args }) => [command, ...args]);
  for (const line of lines) assertEquals(line, lines[0]);
  const [line = []] = lines;
  assertEquals(line.slice(0, NPX.length), NPX);
  await readThrough(serverCommand(line.slice(NPX.length)));
});

Deno.test(
  needs("Deno 2.9.6 in the cache of npx")("the arguments for a clone start a server through npx"),
  async () => {
    const args = PAGES.flatMap(inlineCode).find((code) => code.includes("/path/to/paddock/main.ts"));
    const given: string[] = JSON.parse(args ?? "[]");
    await readThrough(["npx", ...given.map((arg) => arg === "/path/to/paddock/main.ts" ? MAIN : arg)]);
  },
);

Deno.test("the program for frameworks works with a server over HTTP", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start([folder.path]);
  const program = BLOCKS.find(({ language }) => language === "ts")?.text ?? "";
  assertStringIncludes(program, "http://127.0.0.1:8091/mcp");
  const file = folder.write("agent.ts", program.replace("http://127.0.0.1:8091", server.url));
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      `--config=${REPOSITORY}deno.json`,
      `--lock=${REPOSITORY}tests/deno.lock`,
      file,
    ],
    stderr: "inherit",
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(success, true);
  assertStringIncludes(new TextDecoder().decode(stdout), folder.path.slice(folder.path.lastIndexOf("/") + 1));
});
