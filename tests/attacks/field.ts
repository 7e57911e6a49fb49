/**
 * The setting of an attack: a served folder, one of its folders that is swapped for a link, and the folder outside
 * that the link leads to, which has entries of the same names.
 */
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";
import { callsOf, LINES, type SurfaceName, WORKSPACE } from "./calls.ts";
import { copySync } from "./copy_sync.ts";
import { Outside, SECRET, SECRET_SIZE, SECRET_TIME } from "./outside.ts";

/** Which folders can be swapped; "" is the served folder, or the workspace, itself. */
export const TARGETS: Readonly<Record<SurfaceName, readonly string[]>> = {
  roots: ["dir", "dir/sub", ""],
  classic: ["dir", "dir/sub", ""],
  flat: [""],
  workspaces: [
    "dir",
    ".git/mcp",
    ".git/logs",
    ".git",
    ".git/refs/heads",
    ".git/objects/pack",
    "dir/sub",
    "",
  ],
};

export interface FieldOptions {
  readonly surface: SurfaceName;
  readonly target: string;
  /** What comes before paddock's arguments. */
  readonly command: string[] | undefined;
  /** Further arguments for paddock. */
  readonly flags: readonly string[];
}

export class Field implements AsyncDisposable {
  readonly #temp: TempFolder;
  readonly #surface: SurfaceName;
  readonly server: TestServer;
  readonly outside: Outside;
  /** The two entries that exchange their names. */
  readonly folder: string;
  readonly link: string;
  /** The served folder or the workspace. */
  readonly #root: string;

  static async make(options: FieldOptions): Promise<Field> {
    const { surface, command, flags } = options;
    const temp = tempFolder();
    const base = `${temp.path}/root`;
    Deno.mkdirSync(base);
    const given = {
      roots: [base, `--undo-dir=${temp.path}/undo`],
      classic: ["--classic", base, `--undo-dir=${temp.path}/undo`],
      flat: [`--dir=${base}`],
      workspaces: [`--workspaces-root=${base}`],
    }[surface];
    const args = [...given, "--transport=stdio", "--log-level=error", ...flags];
    const server = new TestServer(args, command === undefined ? {} : { command });
    await server.initialize();
    const root = surface === "workspaces" ? `${base}/${WORKSPACE}` : base;
    if (surface === "workspaces") await server.call("workspace_create", { name: WORKSPACE });
    restock(root, surface);
    if (surface === "workspaces") await makeHistory(server);
    return new Field(options, { temp, server, root });
  }

  private constructor(
    { surface, target }: FieldOptions,
    { temp, server, root }: { temp: TempFolder; server: TestServer; root: string },
  ) {
    this.#temp = temp;
    this.#surface = surface;
    this.server = server;
    this.folder = target === "" ? root : `${root}/${target}`;
    const [model, outside, aside] = ["model", "outside", "aside"].map((name) => `${temp.path}/${name}`);
    for (const path of [model, outside, aside]) Deno.mkdirSync(path ?? "");
    copySync(this.folder, model ?? "");
    if (!target.startsWith(".git")) makeSecret(model ?? "");
    this.outside = new Outside(outside ?? "", model ?? "");
    this.link = `${aside}/link`;
    this.#root = root;
  }

  /** Prepares the files for each call. */
  restock(): void {
    restock(this.#root, this.#surface);
  }

  /** Which files from outside, or with the content of such files, are inside. */
  broughtIn(): string[] {
    const inodes = this.outside.inodes;
    const found: string[] = [];
    const look = (folder: string, name: string) => {
      for (const entry of Deno.readDirSync(folder)) {
        const path = `${folder}/${entry.name}`;
        if (entry.name === ".git" || entry.isSymlink) continue;
        if (entry.isDirectory) look(path, `${name}${entry.name}/`);
        else if (inodes.has(Deno.lstatSync(path).ino ?? -1)) found.push(`brought-in ${name}${entry.name}`);
        else if (Deno.readTextFileSync(path).includes(SECRET)) found.push(`copied-in ${name}${entry.name}`);
      }
    };
    look(this.#root, "");
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.#temp[Symbol.dispose]();
  }
}

const FILES_IN_DIR = ["file.txt", "authorized_keys", "image.png"];

/** Restores what is missing, and `LINES` at the beginning of the file that is edited; removes everything else. */
function restock(root: string, surface: SurfaceName): void {
  const isFlat = surface === "flat";
  const dir = isFlat ? root : `${root}/dir`;
  keepOnly(root, new Set(isFlat ? [...FILES_IN_DIR, "mine.txt"] : ["dir", "mine.txt", ".git"]));
  if (!isFlat) Deno.mkdirSync(`${dir}/sub`, { recursive: true });
  if (!isFlat) keepOnly(dir, new Set([...FILES_IN_DIR, "sub"]));
  fill(`${root}/mine.txt`, "mine\n");
  for (const name of FILES_IN_DIR) fill(`${dir}/${name}`, LINES);
  if (isFlat) return;
  keepOnly(`${dir}/sub`, new Set(["deep.txt"]));
  fill(`${dir}/sub/deep.txt`, LINES);
}

function keepOnly(folder: string, names: ReadonlySet<string>): void {
  for (const { name } of Deno.readDirSync(folder)) {
    if (!names.has(name)) Deno.removeSync(`${folder}/${name}`, { recursive: true });
  }
}

function fill(path: string, content: string): void {
  try {
    const { size } = Deno.lstatSync(path);
    if (size < 400 && Deno.readTextFileSync(path).startsWith(content)) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.writeTextFileSync(path, content);
}

/** A few commits, and all files that a workspace has after a while. */
async function makeHistory(server: TestServer): Promise<void> {
  for (let number = 0; number < 3; number++) {
    for (const { tool, arguments: args } of callsOf("workspaces", number)) {
      if (tool === "fs_write_file") await server.call(tool, { ...args });
    }
  }
}

/** Gives every file of a working tree a content, size and time by which it is recognised. */
function makeSecret(folder: string): void {
  Deno.writeTextFileSync(`${folder}/${SECRET}-name`, "");
  const make = (at: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(at)) {
      const path = `${at}/${name}`;
      if (name === ".git") continue;
      if (isDirectory) make(path);
      else {
        Deno.writeTextFileSync(path, `${SECRET}\n`.repeat(SECRET_SIZE).slice(0, SECRET_SIZE));
        Deno.utimeSync(path, SECRET_TIME, SECRET_TIME);
      }
    }
  };
  make(folder);
}
