import { assertEquals } from "@std/assert";
import { newFolders } from "../../../src/engine/undo/finish_steps.ts";
import { ABSENT, type FolderState, type Step } from "../../../src/engine/undo/state.ts";

const folder = (mode: number): FolderState => ({ kind: "folder", mode, uid: null, gid: null });
const made = (path: string, mode: number): Step => ({ op: "put", path, before: ABSENT, after: folder(mode) });
const removed = (path: string): Step => ({ op: "put", path, before: folder(0o755), after: ABSENT });
const moved = (path: string, dest: string): Step => ({ op: "move", path, dest });

const CASES: [name: string, steps: Step[], folders: Record<string, number>][] = [
  ["folders stay where they are made", [made("e", 0o750), made("e/f", 0o700)], { e: 0o750, "e/f": 0o700 }],
  ["one is moved, with those inside", [made("e", 0o750), made("e/f", 0o700), moved("e", "g")], {
    g: 0o750,
    "g/f": 0o700,
  }],
  ["another replaces it", [made("e", 0o750), moved("e", "g"), moved("h", "e")], { g: 0o750 }],
  ["one is removed, and another moved there", [made("e", 0o750), removed("e"), moved("h", "e")], {}],
  ["only the beginning of a name matches", [made("e", 0o750), removed("e2"), moved("e3", "k")], { e: 0o750 }],
];

for (const [name, steps, folders] of CASES) {
  Deno.test(`newFolders knows where new folders end up when ${name}`, () => {
    const found = [...newFolders(steps)].map(([path, { mode }]) => [path, mode]);
    assertEquals(Object.fromEntries(found), folders);
  });
}
