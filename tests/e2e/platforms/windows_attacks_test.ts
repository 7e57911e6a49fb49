/** Every attack by a Windows path on every tool that takes one, against the real process, on Windows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Attack, windowsAttacks } from "../../support/windows_attacks.ts";
import { type Listed, logLines, messageOf, ON_RECORD, send } from "../attack_calls.ts";
import { callWith, pathArguments } from "../plausible_call.ts";

const SECRET = "TOPSECRET";
const FILES = {
  "field/ok.txt": "ok\n",
  "field/ok_dir/x.txt": "x\n",
  "field/.git/config": "[core]\n",
  "field/.git/hooks/pre-commit": "#!/bin/sh\n",
  "field/inner/x.txt": "x\n",
  "outside/secret.txt": SECRET,
  "field_evil/secret.txt": SECRET,
};
const CONFIG = `roots:
  - { name: field, path: field, allowed_tools: ["*"] }
  - { name: inner, path: field/inner, allowed_tools: [list_folder, read_file, stat_file] }
`;
/** Arguments of changing tools that are only read. */
const READ_ONLY = new Set(["copy source_path"]);

/** What the message must say; undefined if the call may succeed. */
function expected({ kind }: Attack, { name, annotations }: Listed, argument: string): RegExp | undefined {
  const changes = !annotations.readOnlyHint && !READ_ONLY.has(`${name} ${argument}`);
  switch (kind) {
    case "form":
      return /outside root boundary|null byte|names on Windows cannot contain|outside the root|Permission denied/;
    case "absolute":
      return /outside root boundary|outside the root|Permission denied/;
    case "own":
      return /reserves for its own use|Permission denied/;
    case "git":
      return changes ? /inside a \.git|Permission denied/ : undefined;
    case "nested":
      return changes
        ? /not allowed on root inner|contains the directory of root inner|Permission denied/
        : undefined;
    case "harmless":
      return undefined;
  }
}

Deno.test({
  ...needs("Windows")(
    "no tool reads, changes or reveals anything outside, whatever Windows path it is given",
  ),
  fn: async (t) => {
    using folder = tempFolder();
    using store = tempFolder();
    const restore = () => {
      for (const [name, content] of Object.entries(FILES)) {
        if (!isFile(`${folder.path}/${name}`)) folder.write(name, content);
      }
    };
    restore();
    const config = folder.write("paddock.yaml", CONFIG);
    const untouchable = () =>
      folder.names().filter((name) => !/^field\//.test(name) || /^field\/(\.git|inner)\//i.test(name))
        .map((name) => name.endsWith("/") ? name : `${name}: ${folder.read(name)}`);
    const before = untouchable();
    await using server = new TestServer([
      ...[`--config=${config}`, `--undo-dir=${store.path}`, "--transport=stdio", "--log-format=json"],
    ]);
    await server.initialize();
    const tools: Listed[] = (await server.request("tools/list")).result.tools;
    const attacked = tools.filter(({ name, inputSchema }) =>
      pathArguments(inputSchema).length > 0 && !ON_RECORD.has(name)
    );
    assert(attacked.length >= 15, "there are hardly any tools to attack");
    const told = (text: string, path: string) => text.replaceAll(JSON.stringify(path).slice(1, -1), "");

    for (const tool of attacked) {
      await t.step(tool.name, async () => {
        for (const argument of pathArguments(tool.inputSchema)) {
          for (const attack of windowsAttacks(folder.path)) {
            restore();
            const args = callWith(tool.inputSchema, { argument, path: attack.path });
            const answer = await send(server, tool.name, args);
            const { text, failed } = messageOf(answer);
            const what = `${argument}=${JSON.stringify(attack.path)}: ${text.slice(0, 500)}`;
            const wanted = expected(attack, tool, argument);
            if (wanted !== undefined) {
              assert(failed, what);
              assertMatch(text, wanted, what);
            }
            assert(!told(JSON.stringify(answer), attack.path).includes(SECRET), `tells a secret: ${what}`);
            assertEquals(untouchable(), before, what);
          }
        }
      });
    }
    assertEquals(await server.end(), 0);
    assertEquals(logLines(server).filter(({ event }) => event === "tool_error"), []);
  },
});

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
