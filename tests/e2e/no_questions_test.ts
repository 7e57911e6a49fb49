/** At a terminal the runtime prompts for permissions that a Worker lacks; paddock never lets it prompt. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { attacksIn, battlefield, SECRET } from "./attacks.ts";
import { SessionClient } from "../support/http_client.ts";
import { eventually, freePort } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { MAIN, serverCommand } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

/** What the prompts look like. */
const QUESTION = /requests? .* access|Allow\?|\[y\/n/i;

/** A program at a terminal of its own, where somebody would answer every prompt with yes. */
class Terminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  /** Everything displayed so far. */
  screen = "";

  constructor(command: readonly string[], { isTyping = false } = {}) {
    const line = `exec ${command.map((part) => `'${part}'`).join(" ")}`; // otherwise the shell would receive Ctrl-C too
    this.#child = new Deno.Command("script", {
      args: ["-qec", line, "/dev/null"],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      env: { NO_COLOR: "1", DENO_NO_PROMPT: "" },
    }).spawn();
    this.#reading = this.#read();
    if (!isTyping) this.#sayYes();
  }

  async type(text: string): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    writer.releaseLock();
  }

  async exit(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  kill(): void {
    this.#child.kill("SIGTERM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch { /* it has ended */ }
    await this.exit();
    await this.#child.stdin.close().catch(() => {});
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.screen += chunk;
      if (QUESTION.test(this.screen)) this.kill(); // it would wait for an answer
    }
  }

  async #sayYes(): Promise<void> {
    await this.type("A\nA\nA\n").catch(() => {});
  }
}

const onTerminal = needs("script");

Deno.test({
  ...onTerminal("doctor does not prompt at a terminal, and has the same findings without one"),
  fn: async () => {
    using folder = tempFolder();
    const command = serverCommand(["doctor", "--json", folder.path]);
    await using terminal = new Terminal(command);
    const [file = "", ...args] = command;
    const { stdout, code } = await new Deno.Command(file, { args, stdin: "null", stderr: "null" }).output();
    assertEquals(await terminal.exit(), code);
    assert(!QUESTION.test(terminal.screen), terminal.screen);
    const json = terminal.screen.slice(terminal.screen.indexOf("{"), terminal.screen.lastIndexOf("}") + 1);
    assertEquals(verdicts(json), verdicts(new TextDecoder().decode(stdout)));
  },
});

/** What was found, without figures that differ from run to run. */
function verdicts(json: string): unknown {
  const { directories } = JSON.parse(json) as {
    directories: { findings: { check: string; status: string }[] }[];
  };
  const found = directories.flatMap(({ findings }) => findings);
  assert(found.length > 10);
  return found.map(({ check, status }) => [check, status]);
}

const STARTS: [name: string, command: (args: string[]) => string[]][] = [
  ["as people type it", serverCommand],
  [
    "with some flags of Deno's",
    (args) => [Deno.execPath(), "run", "-A", "--v8-flags=--expose-gc", MAIN, ...args],
  ],
];

for (const [name, commandFor] of STARTS) {
  Deno.test({
    ...needs("script", "mkfifo")(
      `a server at a terminal, started ${name}, does not prompt under attack, and stops when told to`,
    ),
    fn: async () => {
      const { folder } = battlefield();
      using field = folder;
      const port = freePort();
      const command = commandFor(["--transport=http", `--port=${port}`, `${field.path}/field`]);
      await using terminal = new Terminal(command);
      const url = `http://127.0.0.1:${port}`;
      const client = await eventually(
        () => SessionClient.begin(url).catch(() => undefined),
        (begun) => begun !== undefined,
      );
      assert(client !== undefined, terminal.screen);
      for (const { path } of attacksIn(field.path)) {
        for (const tool of ["read_file", "list_folder", "stat_file"]) {
          const { text } = await client.call(tool, { root: "field", path });
          assert(!text.includes(SECRET), `${tool} ${path}: ${text}`);
        }
      }
      assert(!QUESTION.test(terminal.screen), terminal.screen);
      await terminal.type("\x03");
      assertEquals(await terminal.exit(), 0);
      assertStringIncludes(terminal.screen, "server_stopped");
    },
  });
}

Deno.test({
  ...onTerminal("a server on stdio answers at a terminal as well, and ends with its input"),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "hello\n");
    await using terminal = new Terminal(serverCommand([folder.path]), { isTyping: true });
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const say = (message: object) => terminal.type(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await say({ id: 1, method: "initialize", params });
    await say({
      id: 2,
      method: "tools/call",
      params: { name: "read_file", arguments: { root, path: "../../etc/passwd" } },
    });
    await eventually(() => terminal.screen, (screen) => screen.includes("outside root boundary"));
    await terminal.type("\x04");
    assertEquals(await terminal.exit(), 0);
    assert(!QUESTION.test(terminal.screen), terminal.screen);
    assertStringIncludes(terminal.screen, "outside root boundary");
  },
});
