import { assertEquals, assertMatch } from "@std/assert";
import { onUnix } from "../support/needs.ts";
import { configOf, mistakesOf, withTempDir } from "./support.ts";

/** A folder that is served, and one beside it. */
function withFolders(run: (dir: string, served: string) => Promise<void>): Promise<void> {
  return withTempDir(async (dir) => {
    for (const name of ["served", "beside"]) Deno.mkdirSync(`${dir}/${name}`);
    await run(dir, `${dir}/served`);
  });
}

Deno.test("loadConfig creates the file of --acp-events for its owner alone, and returns its real path", () =>
  withFolders(async (dir, served) => {
    Deno.symlinkSync("beside", `${dir}/link`);
    const args = [`--acp-events=${dir}/link/events.jsonl`, "--acp-session-id=sess_1", served];
    const { acpEvents } = await configOf(args);
    assertEquals(acpEvents, { file: `${dir}/beside/events.jsonl`, sessionId: "sess_1" });
    const { mode, size } = Deno.statSync(`${dir}/beside/events.jsonl`);
    if (Deno.build.os !== "windows") assertEquals([(mode ?? 0) & 0o777, size], [0o600, 0]);
    Deno.writeTextFileSync(`${dir}/beside/events.jsonl`, "kept\n");
    await configOf(args);
    assertEquals(Deno.readTextFileSync(`${dir}/beside/events.jsonl`), "kept\n");
  }));

Deno.test("loadConfig accepts - for standard error, and has a different session id for every process", () =>
  withFolders(async (_, served) => {
    const { acpEvents } = await configOf(["--acp-events=-", served]);
    assertEquals(acpEvents, { file: "-", sessionId: `paddock-${Deno.pid}` });
    assertEquals((await configOf([served])).acpEvents, undefined);
  }));

type Mistake = [
  name: string,
  args: (dir: string) => string[],
  mistake: RegExp,
  prepare?: (dir: string) => void,
];

const MISTAKES: Mistake[] = [
  [
    "a file that clients can reach",
    (dir) => [`--acp-events=${dir}/served/sub/../events.jsonl`],
    /^--acp-events is ".*", which lies in ".*\/served", where clients can change it, but must be a file outside/,
    (dir) => Deno.mkdirSync(`${dir}/served/sub`),
  ],
  [
    "a link to a file that clients can reach",
    (dir) => [`--acp-events=${dir}/link`],
    /where clients can change it/,
    (dir) => {
      Deno.writeTextFileSync(`${dir}/served/a.txt`, "");
      Deno.symlinkSync("served/a.txt", `${dir}/link`);
    },
  ],
  [
    "a file in a link to a folder that is served",
    (dir) => [`--acp-events=${dir}/link/new`],
    /where clients can change it/,
    (dir) => Deno.symlinkSync("served", `${dir}/link`),
  ],
  ["a folder", (dir) => [`--acp-events=${dir}/beside`], /which is not a regular file/],
  ["a device", () => ["--acp-events=/dev/null"], /which is not a regular file/],
  [
    "no folder for it",
    (dir) => [`--acp-events=${dir}/no/file`],
    /which lies in a folder that does not exist/,
  ],
  [
    "a link that leads nowhere",
    (dir) => [`--acp-events=${dir}/link`],
    /which does not exist/,
    (dir) => Deno.symlinkSync("served/new", `${dir}/link`),
  ],
  [
    "a session id alone",
    () => ["--acp-session-id=s"],
    /^--acp-session-id is given alone, but must be given with --acp-events; example: --acp-events=/,
  ],
  [
    "a session id with a line break",
    () => ["--acp-events=-", "--acp-session-id=a\nb"],
    /^--acp-session-id is "a\\nb", but must be an id of 1 to 200 printable characters/,
  ],
];

for (const [name, args, mistake, prepare] of MISTAKES) {
  Deno.test({
    ...onUnix(`loadConfig refuses ${name} for --acp-events`),
    fn: () =>
      withFolders(async (dir, served) => {
        prepare?.(dir);
        const before = [...Deno.readDirSync(served)].length;
        const mistakes = await mistakesOf([...args(dir), served]);
        assertEquals(mistakes.length, 1);
        assertMatch(mistakes[0] ?? "", mistake);
        assertEquals([...Deno.readDirSync(served)].length, before);
      }),
  });
}

Deno.test("loadConfig refuses --acp-events with the surface that lacks the tool", () =>
  withFolders(async (_, served) => {
    const [mistake] = await mistakesOf(["--acp-events=-", `--dir=${served}`]);
    assertMatch(mistake ?? "", /^--acp-events has no effect with --dir, but must be given with/);
  }));
