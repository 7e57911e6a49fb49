/** What the README tells people to run, run from its text. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { HttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { clientEnv, MAIN, REPOSITORY } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const README = Deno.readTextFileSync(`${REPOSITORY}README.md`);
const TASKS: Record<string, string> = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.json`)).tasks;
/** How the README starts Deno, in words. */
const NPX = "npx -y deno@2.9.6";

/** The fenced blocks of one language. */
function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp("^```" + language + "\\n([^]*?)^```", "gm"))].map(([, text = ""]) =>
    text
  );
}

/** The indented lines, without what is said about them. */
const COMMANDS = [...README.matchAll(/^ {4}(npx .*)$/gm)].map(([, line = ""]) => line.replace(/ +#.*/, ""));

interface ClientEntry {
  command: string;
  args: string[];
}

/** The entry for paddock in a client's configuration, whatever the client calls the list. */
function entryOf(json: string): ClientEntry {
  const [servers] = Object.values(JSON.parse(json)) as [{ paddock: ClientEntry }];
  return servers.paddock;
}

function filledIn(text: string, project: string): string {
  return text.replaceAll("/path/to/paddock/main.ts", MAIN).replaceAll("/path/to/your/project", project);
}

Deno.test(
  needs("Deno 2.9.6 in the cache of npx")(
    "the README's configuration starts a server that a client works with over stdio",
  ),
  async () => {
    using folder = tempFolder();
    folder.write("hello.txt", "hello\n");
    const [first = "", ...others] = blocks("json");
    const { command, args } = entryOf(filledIn(first, folder.path));
    const transport = new StdioClientTransport({ command, args, env: clientEnv(), stderr: "ignore" });
    const client = new Client({ name: "readme", version: "1" });
    await client.connect(transport);
    try {
      const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
      const result = await client.callTool({ name: "read_file", arguments: { root, path: "hello.txt" } });
      assertEquals((result.content as { text: string }[])[0]?.text, "hello\n");
    } finally {
      await client.close();
    }
    for (const other of others) {
      const { command, args } = entryOf(other);
      assertEquals({ command, args }, { command: "npx", args: entryOf(first).args });
    }
  },
);

Deno.test("the README's program works with a server over HTTP", async () => {
  using folder = tempFolder();
  const command = COMMANDS.find((line) => line.includes("--transport=http")) ?? "";
  assert(command.startsWith(`${NPX} run -A main.ts `));
  const args = filledIn(command, folder.path).slice(`${NPX} run -A main.ts `.length).split(" ")
    .filter((arg) => arg !== "--transport=http"); // which is how the test's server is started anyway
  await using server = await HttpServer.start(args);
  const [program = ""] = blocks("ts");
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

Deno.test("every command of the README is one that works", async () => {
  using folder = tempFolder();
  for (const command of COMMANDS) {
    assert(command.startsWith(`${NPX} `), command);
    const [verb = "", ...args] = filledIn(command, folder.path).slice(NPX.length + 1).split(" ");
    if (verb === "task") {
      assert(args[0] !== undefined && args[0] in TASKS, command);
      continue;
    }
    assertEquals([verb, ...args.slice(0, 2)], ["run", "-A", "main.ts"], command);
    if (command.includes("--transport=http")) continue; // the test above
    if (args.includes("doctor")) continue; // tests/commands/doctor/doctor_test.ts
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...args],
      cwd: REPOSITORY,
    }).output();
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    assertEquals(success, true, `${command}\n${said}`);
  }
});

Deno.test("every file and test that the README names is there", () => {
  const links = [...README.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
  const tests = [...README.matchAll(/`(tests\/[^`*]+)`/g)].map(([, path = ""]) => path);
  for (const path of [...links, ...tests]) {
    assert(Deno.lstatSync(`${REPOSITORY}${path}`), path);
  }
  assert(links.length > 5 && tests.length > 5);
});
