// Many replacements in one call, in a file of 1 MiB: multi_edit_text_file against the peer's edit_file, which both
// answer with a diff. Every set of edits is made and then reversed, so that each round finds the same file.

import { join } from "@std/path/join";
import { SIDES } from "../peers.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";
import type { ToolCall } from "../stdio_client.ts";

const MIB = 1024 * 1024;

/** Lines of 64 bytes, each with its number, so that an edit matches only one place. */
const LINES = Array.from({ length: MIB / 64 }, (_, i) => `line ${i + 1} `.padEnd(63, "abcdefghij "));
const TEXT = LINES.join("\n") + "\n";

/** The 100 unique strings of the contract, which wants their edits done within 500 ms. */
const SMALL = Array.from({ length: 100 }, (_, i) => `<unique ${i}>\n`).join("");

interface Edit {
  readonly from: string;
  readonly to: string;
}

/** Edits all over the file, not in the order of its lines. */
function scattered(count: number): Edit[] {
  return Array.from({ length: count }, (_, i) => {
    const line = (i * 7919) % LINES.length + 1;
    return { from: `line ${line} a`, to: `row ${line} b` };
  });
}

const SETS = {
  one: { file: "large.txt", edits: scattered(1) },
  hundred: { file: "large.txt", edits: scattered(100) },
  thousand: { file: "large.txt", edits: scattered(1_000) },
  small: {
    file: "small.txt",
    edits: Array.from({ length: 100 }, (_, i) => ({ from: `<unique ${i}>`, to: `[changed ${i}]` })),
  },
} as const;

function callOf({ server, dir }: Session, file: string, edits: readonly Edit[]): ToolCall {
  const path = join(dir, server.side, file);
  return server.side === "paddock"
    ? {
      name: "multi_edit_text_file",
      arguments: { path, edits: edits.map(({ from, to }) => ({ old_string: from, new_string: to })) },
    }
    : {
      name: "edit_file",
      arguments: { path, edits: edits.map(({ from, to }) => ({ oldText: from, newText: to })) },
    };
}

const isTakenBack = ({ server, dir }: Session) =>
  Deno.readTextFileSync(join(dir, server.side, "large.txt")) === TEXT &&
  Deno.readTextFileSync(join(dir, server.side, "small.txt")) === SMALL;

export const multiEdit: Scenario = {
  name: "multi_edit",
  rounds: 7,
  forAnyServer: true,
  rows: [
    { key: "one", label: "1 edit in 1 MiB, and back", unit: "ms", target: 0.4 },
    { key: "hundred", label: "100 edits in 1 MiB, and back", unit: "ms", target: 1 },
    { key: "thousand", label: "1,000 edits in 1 MiB, and back", unit: "ms", target: 1 },
    { key: "small", label: "100 edits in a small file, and back", unit: "ms", limit: 1_000 },
  ],
  note:
    "two calls a figure. paddock checks that each old text is there exactly once and fsyncs file and folder before " +
    "it answers; the peer takes the first place it finds and does not.",
  prepare(dir) {
    for (const side of SIDES) {
      Deno.mkdirSync(join(dir, side));
      Deno.writeTextFileSync(join(dir, side, "large.txt"), TEXT);
      Deno.writeTextFileSync(join(dir, side, "small.txt"), SMALL);
    }
  },
  async verify(session) {
    const client = await session.client();
    const { file, edits } = SETS.hundred;
    await client.callTool(callOf(session, file, edits));
    const expected = edits.reduce((text, { from, to }) => text.replace(from, to), TEXT);
    const path = join(session.dir, session.server.side, file);
    if (Deno.readTextFileSync(path) !== expected) throw new Error(`${session.server.name} edited wrongly`);
    Deno.writeTextFileSync(path, TEXT);
  },
  async round(session) {
    const client = await session.client();
    const time = async ({ file, edits }: { file: string; edits: readonly Edit[] }) => {
      const back = edits.map(({ from, to }) => ({ from: to, to: from })).reverse();
      const calls = [callOf(session, file, edits), callOf(session, file, back)];
      const start = performance.now();
      for (const call of calls) await client.callTool(call);
      return performance.now() - start;
    };
    const figures = {
      one: await time(SETS.one),
      hundred: await time(SETS.hundred),
      thousand: await time(SETS.thousand),
      small: await time(SETS.small),
    };
    if (!isTakenBack(session)) throw new Error(`${session.server.name} lost an edit`);
    return figures;
  },
};
