/** Sections 1.3 and 6.1: how the flat surface is started, and what is refused at the start, with exit code 1. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { SessionClient } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { needs } from "../../support/needs.ts";
import { runToEnd, serverCommand, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

/** The messages for a start with mistakes. */
async function mistakes(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runToEnd(args, { env });
  assertEquals([code, stdout], [1, ""], stderr);
  return stderr.trimEnd().split("\n");
}

Deno.test("1.3 all mistakes in a start are reported together", async () => {
  using folder = tempFolder();
  const file = folder.write("file.txt", "");
  const lines = await mistakes([
    `--dir=${file}`,
    "--transport=sse",
    "--port=1023",
    "--max-size=101",
    "--timeout=0",
  ]);
  assertEquals(lines, [
    'error: --transport is "sse", but must be stdio or http; example: --transport=http',
    'error: --max-size is "101", but must be a whole number from 1 to 100; example: --max-size=20',
    'error: --timeout is "0", but must be a whole number from 1 to 300; example: --timeout=30',
    `error: --dir="${file}" is not a directory, but must be an existing, writable directory; example: paddock --dir=.`,
    'error: --port is "1023", but must be a whole number from 1024 to 65535 with --dir; example: --port=8080',
  ]);
});

Deno.test("1.3 the folder must exist, and --dir must have a value and stand alone", async () => {
  using folder = tempFolder();
  const { path } = folder;
  assertEquals(await mistakes([`--dir=${path}/gone`]), [
    `error: --dir="${path}/gone" does not exist, but must be an existing, writable directory; example: paddock --dir=.`,
  ]);
  assertEquals(await mistakes(["--dir="]), [
    "error: --dir has no value, but must be the path of a directory; example: --dir=/srv/notes",
  ]);
  const [both = ""] = await mistakes([`--dir=${path}`, path]);
  assertStringIncludes(both, `the command line has "${path}" and --dir="${path}"`);
});

Deno.test(needs("modes that bind this user")("1.3 the folder must be writable"), async () => {
  using folder = tempFolder();
  Deno.chmodSync(folder.path, 0o555);
  Deno.chownSync(folder.path, Deno.uid() === 0 ? 54_321 : null, null);
  // Root in its own user namespace has no rights to what belongs to others; any other user needs none.
  const shell = Deno.uid() === 0 ? `exec unshare -r "$0" "$@"` : `exec "$0" "$@"`;
  const { code, stderr } = await runToEnd([], {
    command: ["sh", "-c", shell, ...serverCommand([`--dir=${folder.path}`])],
  });
  assertEquals(code, 1);
  assertStringIncludes(stderr, "is not writable");
  assertStringIncludes(stderr, "but must be an existing, writable directory; example: paddock --dir=.");
  const [closed = "", ...others] = await mistakes(["--dir=/proc"]);
  assertMatch(
    closed,
    /^error: --dir="\/proc" (is in \/proc, which the outer fence keeps closed|cannot be read)/,
  );
  assertEquals(others, []);
});

Deno.test("1.3 a port in use ends the start with exit code 1; http is the default", async () => {
  using folder = tempFolder();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const { code, stderr } = await runToEnd([`--dir=${folder.path}`, `--port=${port}`]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, `port ${port} on 127.0.0.1 is already in use`);
});

Deno.test("1.3 --max-size and --timeout work up to their limits", async () => {
  using folder = tempFolder();
  folder.write("large.txt", "x".repeat(2 * 1024 * 1024 + 1));
  await using server = await HttpServer.start([`--dir=${folder.path}`, "--max-size=2", "--timeout=300"]);
  await server.logged("server_starting");
  assertMatch(server.log, /surface=flat transport=http /);
  const client = await SessionClient.begin(server.url);
  const { text } = await client.call("read_file", { name: "large.txt" });
  assertEquals(text, "Error: File size 2.01MB exceeds maximum limit 2MB");
});

Deno.test("1.3 --transport=stdio listens on no port, and the start leaves the folder as it was", async () => {
  using folder = tempFolder();
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio"], { env: { PORT: "80" } });
  await server.initialize();
  await server.logged("server_starting");
  assertMatch(server.log, /surface=flat transport=stdio /);
  assert(!server.log.includes("address="));
  assertEquals(folder.names(), []);
  assertEquals(await server.end(), 0);
});
