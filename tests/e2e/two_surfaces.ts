/**
 * A workspaces server, a roots server and a flat server on one folder, each with several calls in flight on the same
 * file. Each agent has its own line, with a number that each of its edits increments: what was acknowledged must be
 * in the file, whoever wrote it last.
 */
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

export interface SharedSum {
  /** Edits that were acknowledged, by surface. */
  readonly acknowledged: Record<string, number>;
  readonly refused: string[];
  /** What differs from what was acknowledged. */
  readonly lost: string[];
}

type Call = (from: string, to: string) => [tool: string, args: Record<string, unknown>];

const AGENTS: readonly { surface: string; args: (folder: string) => string[]; call: Call }[] = [
  {
    surface: "workspaces",
    args: (folder) => [`--workspaces-root=${folder}`, "--transport=stdio"],
    call: (oldText, newText) => ["fs_edit_file", {
      workspaceId: "field",
      path: "shared.txt",
      edits: [{ oldText, newText }],
    }],
  },
  {
    surface: "roots",
    args: (folder) => [`${folder}/field`],
    call: (old_string, new_string) => ["multi_edit_text_file", {
      root: "field",
      path: "shared.txt",
      edits: [{ old_string, new_string }],
    }],
  },
  {
    surface: "flat",
    args: (folder) => [`--dir=${folder}/field`, "--transport=stdio"],
    call: (_, content) => ["edit_file", {
      name: "shared.txt",
      edits: [{ line: 2, operation: "replace", content: content.trimEnd() }],
    }],
  },
];

const lineOf = (surface: string, number: number) => `${surface} ${number}.\n`;

/** Each agent makes this many edits, one after the other, all agents at once. */
export async function shareFile({ edits }: { edits: number }): Promise<SharedSum> {
  using folder = tempFolder();
  const sum: SharedSum = { acknowledged: {}, refused: [], lost: [] };
  await using maker = new TestServer([`--workspaces-root=${folder.path}`, "--transport=stdio"]);
  await maker.initialize();
  await maker.call("workspace_create", { name: "field" });
  await maker.end();
  folder.write("field/shared.txt", AGENTS.map(({ surface }) => lineOf(surface, 0)).join(""));
  const work = async ({ surface, args, call }: typeof AGENTS[number]) => {
    await using server = new TestServer([...args(folder.path), "--log-level=error", "--timeout=60"]);
    await server.initialize();
    let number = 0;
    for (let i = 0; i < edits; i++) {
      const [name, given] = call(lineOf(surface, number), lineOf(surface, number + 1));
      const { result, error } = await server.request("tools/call", { name, arguments: given });
      if (error !== undefined || result.isError) sum.refused.push(error?.message ?? result.content[0].text);
      else number++;
      const now = folder.read("field/shared.txt");
      if (!now.includes(lineOf(surface, number))) sum.lost.push(`${surface} ${number}, not in:\n${now}`);
    }
    sum.acknowledged[surface] = number;
  };
  await Promise.all(AGENTS.map(work));
  const expected = AGENTS.map(({ surface }) => lineOf(surface, sum.acknowledged[surface] ?? 0)).join("");
  const now = folder.read("field/shared.txt");
  if (now !== expected) sum.lost.push(`in the end:\n${now}instead of\n${expected}`);
  return sum;
}
