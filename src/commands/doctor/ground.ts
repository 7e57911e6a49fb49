/**
 * Where the doctor works: a folder of its own in the directory under examination, with `field` as the served
 * folder and, beside it, files that nobody may touch. All of it is removed at the end.
 */

export const SECRET = "PADDOCK-DOCTOR-SECRET";

const FILES: Record<string, string> = {
  "field/ok.txt": "ok\n",
  "field/ok_dir/x.txt": "x\n",
  "field/.git/config": "[core]\n",
  "field/.git/hooks/pre-commit": "#!/bin/sh\n",
  "outside/secret.txt": SECRET,
  "outside/folder/only_outside.txt": SECRET,
  "field_evil/secret.txt": SECRET,
};

const LINKS: Record<string, string> = {
  self: ".",
  out_file: "../outside/secret.txt",
  out_dir: "../outside",
  chain: "self/out_dir",
  parent: "..",
  evil_dir: "../field_evil",
  dangling: "no_such_target",
  dangling_out: "../outside/new.txt",
  loop: "loop",
};

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

/** The target of a link in this system's notation. */
function native(target: string): string {
  return target.replaceAll("/", SEPARATOR);
}

export class Ground implements Disposable {
  readonly path: string;
  readonly field: string;
  /** Why symbolic links cannot be created, if they cannot. */
  readonly noLinks: string | undefined;

  /** `directory` is real and absolute. */
  constructor(directory: string) {
    const name = `paddock-doctor-${crypto.randomUUID().slice(0, 8)}`;
    this.path = directory.endsWith(SEPARATOR) ? directory + name : directory + SEPARATOR + name;
    this.field = this.path + SEPARATOR + "field";
    Deno.mkdirSync(this.path, { mode: 0o700 });
    try {
      this.noLinks = this.#tryLink();
      this.restore();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Restores what an allowed call used up, and what a call changed that should have been refused. */
  restore(): void {
    for (const [name, content] of Object.entries(FILES)) {
      const path = `${this.path}/${name}`;
      if (textAt(path) === content) continue;
      remove(path);
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(path, content);
    }
    for (const [name, target] of this.noLinks === undefined ? Object.entries(LINKS) : []) {
      const path = `${this.field}/${name}`;
      if (linkAt(path) === native(target)) continue;
      remove(path);
      Deno.symlinkSync(native(target), path, { type: target.endsWith(".txt") ? "file" : "dir" });
    }
  }

  /** What no call may change, as text for comparison: everything outside the field, and its .git. */
  untouchable(): string {
    const folders = ["outside", "field_evil", "field/.git"];
    return [
      ...[...Deno.readDirSync(this.path)].map(({ name }) => name).sort(),
      ...folders.flatMap((folder) => [
        ...contentsOf(`${this.path}/${folder}`),
      ]),
    ].join("\n");
  }

  /** Removes what appeared outside. */
  clear(): void {
    for (const folder of ["outside", "field_evil", "field/.git"]) remove(`${this.path}/${folder}`);
    this.restore();
  }

  [Symbol.dispose](): void {
    remove(this.path);
  }

  #tryLink(): string | undefined {
    const path = `${this.path}/link`;
    try {
      Deno.symlinkSync("target", path, { type: "file" });
      const isThere = linkAt(path) === "target";
      Deno.removeSync(path);
      return isThere ? undefined : "it was created but is not there";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function* contentsOf(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* contentsOf(path);
    else yield `${path}: ${textAt(path) ?? linkAt(path)}`;
  }
}

function textAt(path: string): string | undefined {
  try {
    return Deno.lstatSync(path).isFile ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function linkAt(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

/** Also removes a file in a folder's place, or a link, but never the link's target. */
function remove(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return;
    throw error;
  }
}
