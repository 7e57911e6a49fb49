/** What the program prints for somebody who starts it by hand for the first time. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { needs } from "../support/needs.ts";
import { runToEnd, serverCommand, testedExecutable } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

interface Seen {
  code: number;
  screen: string;
}

/** What a terminal shows when the program is started there, and how it ends. */
async function atTerminal(args: string[], { input = "", env = {} } = {}): Promise<Seen> {
  const command = serverCommand(args).map((part) => `'${part}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", command, "/dev/null"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    env: { NO_COLOR: "1", ...env },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  const { code, stdout } = await child.output();
  await writer.close().catch(() => {}); // it has ended
  return { code, screen: new TextDecoder().decode(stdout).replaceAll("\r\n", "\n") };
}

Deno.test(
  needs("script")("paddock alone on a terminal says what it is and three ways to begin, and ends with 1"),
  async () => {
    const { code, screen } = await atTerminal([]);
    assertEquals(code, 1);
    assertStringIncludes(screen, "is an MCP server");
    assertStringIncludes(screen, "nothing to serve");
    const ways = screen.split("\n").filter((line) => line.startsWith("  "));
    assertEquals(ways.length, 3);
    const command = testedExecutable() === undefined
      ? /^ {2}(npx -y )?deno.* run -A .*main\.[jt]s /
      : /^ {2}paddock /;
    for (const way of ways) assertMatch(way, command);
  },
);

Deno.test("paddock alone without a terminal reports the mistake with examples, and ends with 1", async () => {
  const { code, stdout, stderr } = await runToEnd([]);
  assertEquals([code, stdout], [1, ""]);
  assert(stderr.startsWith("error: nothing to serve: give one or more directories"), stderr);
});

Deno.test(
  needs("script")("a server on a terminal says once that it waits for a client, and serves what is typed"),
  async () => {
    using folder = tempFolder();
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
    const { code, screen } = await atTerminal([folder.path, "--no-undo"], { input: `${ping}\n\x04` });
    assertEquals(code, 0, screen);
    assertEquals(screen.match(/is waiting for an MCP client on standard input/g)?.length, 1, screen);
    assertMatch(screen, /^\{.*"result":\{\}.*\}$/m);
  },
);

for (const [word, meant] of [["help", "--help"], ["version", "--version"], ["doctr", "doctor"]]) {
  Deno.test(`paddock ${word} suggests paddock ${meant}, and ends with 1`, async () => {
    using folder = tempFolder();
    const { code, stderr } = await runToEnd([word ?? ""], { cwd: folder.path });
    assertEquals(code, 1);
    assertStringIncludes(stderr, `(did you mean paddock ${meant}?)`);
  });
}

Deno.test("a folder with the name of a command elsewhere is still served", async () => {
  using folder = tempFolder();
  folder.write("help/a.txt", "");
  const { code, stderr } = await runToEnd(["help", "--no-undo"], { cwd: folder.path });
  assertEquals(code, 0, stderr);
});
