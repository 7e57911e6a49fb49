/** Temporary folders that are removed with the test. */
import "./no_undo.ts";
import "./typed_links.ts";

export interface TempFolder extends Disposable {
  readonly path: string;
  /** Writes a file below the folder, with its parents, and returns its absolute path. */
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  /** Every name below the folder, sorted; folders end in a slash. */
  names(): string[];
}

/** `inMemory` if a test writes a lot and does not need the disk. */
export function tempFolder({ inMemory = false } = {}): TempFolder {
  const dir = inMemory && Deno.build.os === "linux" && isFolder(MEMORY) ? { dir: MEMORY } : {};
  const path = Deno.realPathSync(Deno.makeTempDirSync({ ...dir, prefix: "paddock-test-" }));
  return {
    path,
    write(name, content) {
      const file = `${path}/${name}`;
      Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      if (typeof content === "string") Deno.writeTextFileSync(file, content);
      else Deno.writeFileSync(file, content);
      return file;
    },
    read: (name) => Deno.readTextFileSync(`${path}/${name}`),
    names: () => [...namesBelow(path, "")].sort(),
    [Symbol.dispose]() {
      Deno.removeSync(path, { recursive: true });
    },
  };
}

const MEMORY = "/dev/shm";

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function* namesBelow(folder: string, prefix: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const name = prefix + entry.name;
    yield entry.isDirectory ? `${name}/` : name;
    if (entry.isDirectory) yield* namesBelow(`${folder}/${entry.name}`, `${name}/`);
  }
}
