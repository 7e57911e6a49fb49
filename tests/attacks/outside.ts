/**
 * A folder outside that only an attack touches: every entry of it is known, and whatever happens to one is noticed
 * after the call, reported by its kind, and repaired.
 */
import { copySync } from "./copy_sync.ts";

/** In every file and in one name outside, and nowhere else. */
export const SECRET = "SECRET-OUTSIDE";
/** By these its metadata is recognised in an answer. */
export const SECRET_SIZE = 70_707;
export const SECRET_TIME = new Date("2001-02-03T04:05:06Z");
/** The content of every call begins with this. */
export const AGENT = "AGENT-WROTE";

interface Entry {
  readonly isFile: boolean;
  readonly ino: number | null;
  readonly size: number;
  readonly mtime: number | undefined;
  readonly ctime: number | undefined;
  readonly mode: number | null;
  readonly nlink: number | null;
}

/** What a call did to the folder outside, as `kind name`. */
export type Effect = string;

export class Outside {
  readonly path: string;
  /** What it is repaired from. */
  readonly #model: string;
  #entries = new Map<string, Entry>();

  /** `model` is a folder with all the entries it should have. */
  constructor(path: string, model: string) {
    this.path = path;
    this.#model = model;
    this.#reset();
  }

  /** Which files outside there are, by inode. */
  get inodes(): ReadonlySet<number> {
    return new Set(
      [...this.#entries.values()].flatMap(({ isFile, ino }) => isFile && ino !== null ? [ino] : []),
    );
  }

  /** What has happened since the last check. */
  effects(): Effect[] {
    const now = entriesOf(this.path);
    const effects = [...compared(this.#entries, now, this.path)];
    if (effects.length > 0) this.#reset();
    return effects;
  }

  #reset(): void {
    for (const { name } of Deno.readDirSync(this.path)) {
      Deno.removeSync(`${this.path}/${name}`, { recursive: true });
    }
    copySync(this.#model, this.path);
    this.#entries = entriesOf(this.path);
  }
}

function* compared(before: Map<string, Entry>, now: Map<string, Entry>, path: string): Generator<Effect> {
  let isNamed = false;
  for (const [name, entry] of now) {
    const was = before.get(name);
    if (was === undefined) {
      isNamed = true;
      yield `${created(entry, `${path}/${name}`)} ${shown(name)}`;
    } else if (entry.isFile) {
      const kind = changed(was, entry, `${path}/${name}`);
      if (kind !== undefined) yield `${kind} ${name}`;
      isNamed ||= kind !== undefined;
    }
  }
  for (const name of before.keys()) {
    if (now.has(name)) continue;
    isNamed = true;
    yield `removed ${name}`;
  }
  if (isNamed) return;
  for (const [name, { isFile, mtime }] of now) {
    if (!isFile && before.get(name)?.mtime !== mtime) {
      yield `came-and-went in ${name === "" ? "the folder" : name}`;
    }
  }
}

function created({ isFile, size }: Entry, path: string): string {
  if (!isFile) return "created-folder";
  if (size === 0) return "created-empty";
  return isAgents(path) ? "created-with-content" : "created";
}

function changed(was: Entry, now: Entry, path: string): string | undefined {
  if (was.ino !== now.ino) return isAgents(path) ? "replaced-with-content" : "replaced";
  if (was.size !== now.size || was.mtime !== now.mtime) {
    return isAgents(path) ? "written-with-content" : "written";
  }
  if (was.nlink !== now.nlink) return "linked";
  if (was.mode !== now.mode || was.ctime !== now.ctime) return "touched";
  return undefined;
}

function isAgents(path: string): boolean {
  try {
    return Deno.readTextFileSync(path).includes(AGENT);
  } catch {
    return false;
  }
}

/** Names that are generated each time count as one kind. */
function shown(name: string): string {
  return name.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{38,40}|(?<=\.paddock-)[^/]*(?=\.tmp)/g, "*");
}

function entriesOf(folder: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const add = (name: string) => {
    const path = name === "" ? folder : `${folder}/${name}`;
    const { isFile, ino, size, mtime, ctime, mode, nlink } = Deno.lstatSync(path);
    entries.set(name, { isFile, ino, size, mtime: mtime?.getTime(), ctime: ctime?.getTime(), mode, nlink });
    if (isFile) return;
    for (const entry of Deno.readDirSync(path)) add(name === "" ? entry.name : `${name}/${entry.name}`);
  };
  add("");
  return entries;
}
