/** Plans how to bring a path, and everything recorded below it, to its state at some moment. */
import { ConfinedFile, readFolderRaw } from "../../confine/confined_fs.ts";
import { isTempName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { PaddockError } from "../../base/errors.ts";
import { bytesOf } from "./before.ts";
import { LARGEST_CONTENT } from "./contents.ts";
import { lookAt, lookShort } from "./look.ts";
import { join } from "./overlay.ts";
import type { Plan } from "./plan.ts";
import { stateAt } from "./state_at.ts";
import { ABSENT, isSameContent, isSameState, type State } from "./state.ts";

/** Returns how many paths were left alone because their state at that moment is unknown. */
export async function planRestore(plan: Plan, path: string, seq: number): Promise<number> {
  const wanted = new Map<string, State | undefined>();
  for (const each of pathsAt(plan, path)) await want(plan, { path: each, seq, wanted });
  const known = [...wanted].flatMap(([each, state]): [string, State][] =>
    state === undefined ? [] : [[each, state]]
  );
  let unknown = wanted.size - known.length;
  const inOrder = known.sort(([a], [b]) => a < b ? -1 : 1);
  for (const [each, state] of inOrder.filter(([, { kind }]) => kind !== "absent")) {
    if (!await bring(plan, each, state)) unknown++;
  }
  for (const [each, state] of inOrder.toReversed().filter(([, { kind }]) => kind === "absent")) {
    await bring(plan, each, state);
  }
  return unknown;
}

/** The path, and everything below it that changes have touched. */
function pathsAt({ store: { db } }: Plan, path: string): string[] {
  const below = path === "" ? "" : `${path}/`;
  const rows = db.all(
    "select distinct path from step where path >= ? and path < ? and made = 1 " +
      "union select distinct dest from step where dest >= ? and dest < ? and made = 1",
    below,
    `${below}\u{10ffff}`,
    below,
    `${below}\u{10ffff}`,
  );
  const all = rows.map((row) => String(row.path));
  return path === "" ? all : [path, ...all];
}

interface Wanting {
  path: string;
  seq: number;
  wanted: Map<string, State | undefined>;
}

async function want(plan: Plan, { path, seq, wanted }: Wanting): Promise<void> {
  const then = stateAt(plan.store, path, seq);
  if (then === undefined) wanted.set(path, undefined);
  else if ("where" in then) await wantCopy(plan, { path, where: then.where, wanted });
  else if (then.state.kind === "tree") await wantTree(plan, { path, state: then.state, wanted });
  else wanted.set(path, then.state);
}

async function wantTree(
  plan: Plan,
  { path, state, wanted }: { path: string; state: State & { kind: "tree" }; wanted: Wanting["wanted"] },
): Promise<void> {
  const { trash } = plan.store;
  const isKept = state.kept !== undefined && trash.has(state.kept);
  if (isKept) await wantCopy(plan, { path, where: trash.at(state.kept ?? ""), wanted });
  else wanted.set(path, undefined);
}

/** Something that is elsewhere by now is copied from there. */
async function wantCopy(
  plan: Plan,
  { path, where, wanted }: { path: string; where: ConfinedPath; wanted: Wanting["wanted"] },
): Promise<void> {
  const info = lookShort(where);
  if (info === undefined) return void wanted.set(path, { kind: "absent" });
  const state = await lookAt(where);
  if (state.kind === "folder") {
    wanted.set(path, state);
    for (const { name } of readFolderRaw(where)) {
      if (!isTempName(name)) {
        await wantCopy(plan, { path: join(path, name), where: childOf(where, name), wanted });
      }
    }
  } else if (state.kind === "file" && state.size <= LARGEST_CONTENT) {
    using file = await ConfinedFile.open(where);
    const bytes = bytesOf(file);
    wanted.set(path, { ...state, hash: plan.keep(bytes), size: bytes.length });
  } else {
    wanted.set(path, undefined);
  }
}

/** False if its earlier state is not kept. */
async function bring(plan: Plan, path: string, state: State): Promise<boolean> {
  const now = await plan.overlay.look(path);
  if (isSameState(now, state) || (now.kind === "folder" && isSameContent(now, state))) return true;
  if (now.kind === "folder") {
    const isEmpty = (await plan.overlay.list(path)).length === 0;
    if (state.kind !== "absent" || !isEmpty) return state.kind === "absent";
  }
  try {
    const isInTheWay = state.kind === "folder" && now.kind !== "absent";
    if (isInTheWay) await plan.put(path, { before: now, after: ABSENT });
    await plan.put(path, { before: isInTheWay ? ABSENT : now, after: state });
    return true;
  } catch (error) {
    if (error instanceof PaddockError && error.code === "CONFLICT") return false;
    throw error;
  }
}
