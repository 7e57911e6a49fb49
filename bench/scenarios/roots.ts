// An agent's everyday work, at sizes where speed matters: a very large folder, a file of 1 MiB read and edited, and
// a search by name. Each is compared with the closest tool of the other server.

import { join } from "@std/path/join";
import { type LineChange, SIDES } from "../peers.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { ToolCall } from "../stdio_client.ts";

const MIB = 1024 * 1024;

const ENTRIES = Array.from({ length: 10_000 }, (_, i) => `entry_${String(i).padStart(5, "0")}.txt`);
const MODULES = Array.from({ length: 1_000 }, (_, i) => `part_${i % 20}/module_${i}.${i % 2 ? "ts" : "txt"}`);
const WANTED = MODULES.filter((name) => name.endsWith(".ts"));

/** Lines of 64 bytes, each with its number, so that an edit matches only one place. */
const LINES = Array.from({ length: MIB / 64 }, (_, i) => `line ${i + 1} `.padEnd(63, "abcdefghij "));
const TEXT = LINES.join("\n") + "\n";
const EDITED = 10_000;

/** The line takes on these values and ends as it was. */
const VERSIONS = [LINES[EDITED - 1] ?? "", ...Array.from({ length: 9 }, (_, i) => `version ${i + 1}`)];
const CHANGES: readonly LineChange[] = VERSIONS.map((old, i) => ({
  line: EDITED,
  old,
  new: VERSIONS[(i + 1) % VERSIONS.length] ?? "",
  before: LINES.slice(EDITED - 4, EDITED - 1),
  after: LINES.slice(EDITED, EDITED + 3),
}));

const FOLDER = "many";
const TREE = "tree";
const READ = "read.txt";
const editedFile = ({ server }: Session) => `${server.side}/edited.txt`;

export const roots: Scenario = {
  name: "roots",
  rounds: 7,
  forAnyServer: true,
  rows: [
    { key: "list", label: "list 10,000 entries", unit: "ms", target: 0.6 },
    { key: "read", label: "10 reads of 1 MiB", unit: "ms", target: 0.6 },
    { key: "edit", label: "10 edits of 1 MiB", unit: "ms", target: 1 },
    { key: "glob", label: "10 globs over 1,000 files", unit: "ms", target: 1 },
  ],
  note:
    "edits are patch_file and edit_file; paddock fsyncs file and folder before it answers, the peer does " +
    "not. Searches by name are glob and search_files; paddock also gives sizes and times.",
  prepare(dir) {
    Deno.mkdirSync(join(dir, FOLDER));
    for (const name of ENTRIES) Deno.writeTextFileSync(join(dir, FOLDER, name), "");
    for (let i = 0; i < 20; i++) Deno.mkdirSync(join(dir, TREE, `part_${i}`), { recursive: true });
    for (const name of MODULES) Deno.writeTextFileSync(join(dir, TREE, name), name);
    for (const side of SIDES) Deno.mkdirSync(join(dir, side));
    for (const name of [READ, ...SIDES.map((side) => `${side}/edited.txt`)]) {
      Deno.writeTextFileSync(join(dir, name), TEXT);
    }
  },
  async verify(session) {
    const { server, dir } = session;
    const client = await session.client();
    const expectAll = (text: string, names: readonly string[]) => {
      const missing = names.filter((name) => !text.includes(name));
      if (missing.length > 0) throw new Error(`${server.name} left out ${missing.length} of ${names.length}`);
    };
    expectAll(await client.callTool(server.list({ dir, path: FOLDER })), ENTRIES);
    expectAll(await client.callTool(server.find({ dir, path: TREE }, "**/*.ts")), WANTED);
    if (await client.callTool(server.read({ dir, path: READ })) !== TEXT) {
      throw new Error(`${server.name} returned a text other than the file's`);
    }
    const [change] = CHANGES;
    if (change === undefined) throw new Error("there is nothing to change");
    const path = editedFile(session);
    await client.callTool(server.edit({ dir, path }, change));
    const expected = TEXT.replace(`${change.old}\n`, `${change.new}\n`);
    if (Deno.readTextFileSync(join(dir, path)) !== expected) throw new Error(`${server.name} edited wrongly`);
    Deno.writeTextFileSync(join(dir, path), TEXT);
  },
  async round(session) {
    const { server, dir } = session;
    const client = await session.client();
    const time = async (calls: readonly ToolCall[]) => {
      const start = performance.now();
      for (const call of calls) await client.callTool(call);
      return performance.now() - start;
    };
    const ten = (call: ToolCall) => Array.from({ length: 10 }, () => call);
    const path = editedFile(session);
    const figures = {
      list: await time([server.list({ dir, path: FOLDER })]),
      read: await time(ten(server.read({ dir, path: READ }))),
      edit: await time(CHANGES.map((change) => server.edit({ dir, path }, change))),
      glob: await time(ten(server.find({ dir, path: TREE }, "**/*.ts"))),
    };
    if (Deno.readTextFileSync(join(dir, path)) !== TEXT) throw new Error(`${server.name} lost an edit`);
    return figures;
  },
};
