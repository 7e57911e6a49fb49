/**
 * Every attack on every tool that takes a path, against the real process. The tools come from tools/list, so a new
 * one is attacked automatically.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../support/needs.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import { type Listed, logLines, messageOf, ON_RECORD, send } from "./attack_calls.ts";
import { type Attack, attacksIn, battlefield, SECRET } from "./attacks.ts";
import { callWith, pathArguments } from "./plausible_call.ts";

/** Tools that act on a final link itself (decision 21), and the arguments they do it with. */
const ON_LINKS = new Set([
  "stat_file path",
  "permissions_file path",
  "remove_file path",
  "remove_folder path",
  "move source_path",
  "move dest_path",
  "apply_changes changes.source",
  "apply_changes changes.destination",
]);
/** Arguments of changing tools that are only read. */
const READ_ONLY = new Set(["copy source_path"]);

const REFUSED = /outside root boundary|null byte|symbolic link|Permission denied|outside the root/;

/** What the message must say; undefined if the call may succeed. */
function expected({ kind }: Attack, tool: Listed, argument: string): RegExp | undefined {
  const way = `${tool.name} ${argument}`;
  const changes = !tool.annotations.readOnlyHint && !READ_ONLY.has(way);
  switch (kind) {
    case "outside":
      return REFUSED;
    case "link":
      return ON_LINKS.has(way) ? undefined : REFUSED;
    case "own":
      return /reserves for its own use|outside root boundary|Permission denied/;
    case "git":
      return changes ? /inside a \.git|Permission denied/ : undefined;
    case "nested":
      return changes ? /not allowed on root inner|Permission denied/ : undefined;
    case "invalid":
      return way === "apply_changes changes.source"
        ? /too long|at most|not found/
        : /too long|at most|length/;
    case "harmless":
      return undefined;
  }
}

Deno.test({
  // The attacks use pipes, links, and names that Windows refuses.
  ...needs("Unix", "mkfifo")(
    "no tool reads, changes or reveals anything outside, whatever path it is given",
  ),
  fn: async (t) => {
    const { folder, restore, untouchable } = battlefield();
    using _folder = folder;
    using store = tempFolder();
    const config = folder.write(
      "paddock.yaml",
      `roots:
  - { name: field, path: field, allowed_tools: ["*"] }
  - { name: inner, path: field/inner, allowed_tools: [list_folder, read_file, stat_file] }
  - { name: other, path: other, allowed_tools: ["*"] }
`,
    );
    const before = untouchable();
    await using server = new TestServer([
      `--config=${config}`,
      `--undo-dir=${store.path}`,
      "--transport=stdio",
      "--log-format=json",
    ]);
    await server.initialize();
    const { result } = await server.request("tools/list");
    const tools: Listed[] = result.tools;
    const attacked = tools.filter(({ name, inputSchema }) =>
      pathArguments(inputSchema).length > 0 && !ON_RECORD.has(name)
    );
    assert(attacked.length >= 4, "there are hardly any tools to attack");

    for (const tool of attacked) {
      await t.step(tool.name, async () => {
        let refusals = 0;
        for (const argument of pathArguments(tool.inputSchema)) {
          for (const attack of attacksIn(folder.path)) {
            restore();
            const args = callWith(tool.inputSchema, { argument, path: attack.path });
            const answer = await send(server, tool.name, args);
            const { text, failed } = messageOf(answer);
            const what = `${argument}=${JSON.stringify(attack.path).slice(0, 200)}: ${text.slice(0, 500)}`;
            const wanted = expected(attack, tool, argument);
            if (wanted !== undefined) {
              assert(failed, what);
              assertMatch(text, wanted, what);
              if (attack.kind !== "invalid") refusals++;
            }
            const told = JSON.stringify(answer).replaceAll(JSON.stringify(attack.path).slice(1, -1), "");
            assert(!told.includes(folder.path), `tells a host path: ${what}`);
            assert(!told.includes(SECRET), `tells a secret: ${what}`);
            assertEquals(untouchable(), before, what);
          }
        }
        await server.request("ping");
        const denied = logLines(server).filter(({ event, tool: name }) =>
          event === "security_denied" && name === tool.name
        );
        assert(denied.length >= refusals, `${denied.length} of ${refusals} refusals are in the log`);
        assert(denied.every(({ level, request_id }) => level === "warn" && request_id !== undefined));
      });
    }

    await t.step("patterns", async () => {
      const patterns = [
        "..",
        "../*",
        "../**",
        "/**",
        "**/*",
        "{..,self}/*",
        "out_dir/*",
        "parent/**",
        "*/../../outside/*",
      ];
      const searches = attacked.filter(({ inputSchema }) => inputSchema.properties?.pattern !== undefined);
      for (const { name } of searches) {
        for (const pattern of [...patterns, SECRET, `${folder.path}/outside/*`]) {
          const answer = await send(server, name, { root: "field", path: ".", pattern });
          const told = JSON.stringify(answer).replaceAll(JSON.stringify(pattern).slice(1, -1), "");
          for (const word of [folder.path, SECRET, "only_outside", "passwd"]) {
            assert(!told.includes(word), `${name} ${pattern}: ${told}`);
          }
        }
      }
    });

    for (
      const root of [
        "",
        ".",
        "..",
        "../field",
        "/",
        "field/inner",
        "constructor",
        "__proto__",
        "FIELD",
        "a\nb",
      ]
    ) {
      const { text, failed } = messageOf(await send(server, "read_file", { root, path: "ok.txt" }));
      assertEquals([failed, text.startsWith("unknown root")], [true, true], `${root}: ${text}`);
    }
    restore();
    assertEquals((await server.call("read_file", { root: "other", path: "y.txt" })).text, "y\n");
    assertEquals(await server.end(), 0);
    const events = new Set(logLines(server).map(({ event }) => event)); // each line is an object: none is forged
    assertEquals([events.has("forged"), events.has("tool_error")], [false, false], server.log.slice(-3000));
    assertEquals(folder.names().filter((name) => /\/\.paddock-/.test(name)), []);
  },
});

Deno.test("no path and no request id can break a log line, or keep a refusal out of the log", async () => {
  using folder = tempFolder();
  folder.write("field/ok.txt", "ok\n");
  await using server = new TestServer([`${folder.path}/field`, "--log-format=text"]);
  await server.initialize();
  const names = [
    "a\nb",
    "a\n2025-01-01T00:00:00.000Z WARN  forged",
    "a\r\nforged",
    "\u2028forged",
    "\u0085forged",
    "\u001b[2Jx",
  ];
  for (const name of names) {
    await server.call("read_file", { root: "field", path: name });
    await server.call("read_file", { root: "field", path: `../${name}` });
    await server.call("read_file", { root: name, path: "ok.txt" });
  }
  const refused = { name: "read_file", arguments: { root: "field", path: "../last" } };
  await server.request("tools/call", refused, "i".repeat(2_000_000));
  assertEquals(await server.end(), 0);
  const lines = server.log.split(/\r\n|[\n\r\u0085\u2028\u2029]/).slice(0, -1);
  for (const line of lines) assertMatch(line, /^\d{4}-\d\d-\d\dT[\d:.]+Z (DEBUG|INFO |WARN |ERROR) \w+/);
  assertEquals(lines.filter((line) => /^\S+ \S+ +forged|\p{Cc}/u.test(line)), []);
  const denied = lines.filter((line) => line.includes(" security_denied "));
  assertEquals(denied.length, names.length + 1);
  assertMatch(denied.at(-1) ?? "", /tool=read_file root=field path=\.\.\/last attempted_path=\.\.\/last/);
});
