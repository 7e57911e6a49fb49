/**
 * A person saves a file while an agent edits it, against the real server. Whichever comes first, what the person
 * saved must be in the file at the end: if the agent came first, the person saved over it; if the person did, the
 * edit was made on top of what they saved, or was refused.
 */
import { TestServer } from "../support/server.ts";
import { SAVE_STYLES, type SaveStyle } from "../support/person.ts";
import { tempFolder } from "../support/temp.ts";

const encode = (text: string) => new TextEncoder().encode(text);

interface Edit {
  /** The file as the agent last saw it. */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** Whether the edit is meant for that content only. */
  readonly expecting: boolean;
}

export interface SavesSurface {
  readonly name: string;
  /** The arguments for a folder, and where the file is in it. */
  readonly args: (folder: string) => string[];
  readonly file: string;
  readonly begin?: (server: TestServer) => Promise<unknown>;
  readonly call: (edit: Edit) => Promise<[tool: string, args: Record<string, unknown>]>;
}

async function hashOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encode(text))).toHex();
}

async function expectedHash({ expecting, text }: Edit): Promise<{ expected_hash?: string }> {
  return expecting ? { expected_hash: await hashOf(text) } : {};
}

export const SAVES_SURFACES: readonly SavesSurface[] = [
  {
    name: "roots",
    args: (folder) => [`${folder}/field`],
    file: "field/notes.txt",
    call: async (edit) => ["multi_edit_text_file", {
      root: "field",
      path: "notes.txt",
      edits: [{ old_string: edit.from, new_string: edit.to }],
      ...await expectedHash(edit),
    }],
  },
  {
    name: "flat",
    args: (folder) => [`--dir=${folder}/field`, "--transport=stdio"],
    file: "field/notes.txt",
    call: (edit) =>
      Promise.resolve(["edit_file", {
        name: "notes.txt",
        edits: [{ line: 0, operation: "replace", content: edit.to.split("\n")[0] }],
      }]),
  },
  {
    name: "workspaces",
    args: (folder) => [`--workspaces-root=${folder}`, "--transport=stdio"],
    file: "field/notes.txt",
    begin: (server) => server.call("workspace_create", { name: "field" }),
    call: async (edit) =>
      edit.expecting
        ? ["fs_write_file", {
          workspaceId: "field",
          path: "notes.txt",
          content: edit.text.replace(edit.from, edit.to),
          ...await expectedHash(edit),
        }]
        : ["fs_edit_file", {
          workspaceId: "field",
          path: "notes.txt",
          edits: [{ oldText: edit.from, newText: edit.to }],
        }],
  },
];

export interface SavesSum {
  saves: number;
  /** Saves that are no longer in the file. */
  lost: number;
  /** Edits that were made, and how many of them are in the file at the end: the others were saved over. */
  made: number;
  inFile: number;
  refused: string[];
}

const LINES = Array.from({ length: 50 }, (_, i) => `line ${i} stays as it is\n`).join("");

function notes(agent: number, person: number): string {
  return `agent ${agent}\n${LINES}person ${person}\n`;
}

function waitBusily(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** A number of saves in one style, each at a different moment of an agent's call. */
export async function saveMeanwhile(
  surface: SavesSurface,
  { style, saves }: { style: SaveStyle; saves: number },
): Promise<SavesSum> {
  using folder = tempFolder();
  const file = `${folder.path}/${surface.file}`;
  if (surface.begin === undefined) folder.write(surface.file, notes(0, 0));
  await using server = new TestServer([...surface.args(folder.path), "--log-level=error"]);
  await server.initialize();
  await surface.begin?.(server);
  if (surface.begin !== undefined) folder.write(surface.file, notes(0, 0));
  const sum: SavesSum = { saves: 0, lost: 0, made: 0, inFile: 0, refused: [] };
  const took: number[] = [];
  for (let turn = 1; turn <= saves + WARM_UP; turn++) {
    const isWarm = turn > WARM_UP;
    const text = Deno.readTextFileSync(file);
    const agentNow = /^agent (\d+)\n/.exec(text)?.[1] ?? "?";
    const edit = {
      text,
      from: `agent ${agentNow}\nline`,
      to: `agent ${turn}\nline`,
      expecting: turn % 3 === 0,
    };
    const [name, args] = await surface.call(edit);
    const begun = performance.now();
    const answer = server.request("tools/call", { name, arguments: args });
    await new Promise((resolve) => setTimeout(resolve, 0)); // it has been sent
    if (isWarm) {
      waitBusily(Math.random() * median(took));
      SAVE_STYLES[style](file, notes(Number(agentNow), turn));
    }
    const { result, error } = await answer;
    took.push(performance.now() - begun);
    if (!isWarm) continue;
    sum.saves++;
    const now = Deno.readTextFileSync(file);
    if (!now.includes(`\nperson ${turn}\n`)) sum.lost++;
    if (error === undefined && result.isError !== true) sum.made++;
    else sum.refused.push(error?.message ?? result.content[0].text);
    if (now.startsWith(`agent ${turn}\n`)) sum.inFile++;
  }
  return sum;
}

const WARM_UP = 10;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
