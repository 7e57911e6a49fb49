/**
 * What a process would leave if it were killed: a copy of a folder, taken before every call that changes the file
 * system. Hundreds of kills at every possible place need no process that way.
 */
const { mkdirSync, linkSync } = Deno;

/**
 * Only files and folders, with their content, mode and names: as the next process would find them. `copies` has the
 * first copy of each file that has several names.
 */
function copy(from: string, to: string, copies = new Map<number, string>()): void {
  mkdirSync(to);
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    const [path, image] = [`${from}/${name}`, `${to}/${name}`];
    if (isDirectory) {
      copy(path, image, copies);
      continue;
    }
    const { ino, nlink } = Deno.lstatSync(path);
    const other = nlink === 1 ? undefined : copies.get(ino ?? 0);
    if (other === undefined) Deno.copyFileSync(path, image);
    else linkSync(other, image);
    copies.set(ino ?? 0, image);
  }
}

type Changer = "renameSync" | "removeSync" | "linkSync" | "mkdirSync" | "openSync" | "utimeSync";
const CHANGERS: readonly Changer[] = [
  "renameSync",
  "removeSync",
  "linkSync",
  "mkdirSync",
  "openSync",
  "utimeSync",
];

export interface CrashImage {
  /** The call that was not made. */
  readonly before: string;
  readonly folder: string;
}

export class CrashImages implements Disposable {
  readonly #restore: (() => void)[] = [];
  readonly #place: string;
  readonly images: CrashImage[] = [];

  constructor(folder: string) {
    this.#place = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "paddock-test-" }));
    const take = (before: string) => {
      const image = `${this.#place}/${this.images.length}`;
      this.images.push({ before: before.replaceAll(folder, ""), folder: image });
      copy(folder, image);
    };
    const real = { ...Deno } as Record<Changer, (...args: never[]) => unknown>;
    for (const name of CHANGERS) {
      const call = real[name];
      const patched = (...args: unknown[]) => {
        const [path, options] = args;
        const isRead = name === "openSync" && (options as Deno.OpenOptions | undefined)?.write !== true;
        if (!isRead && String(path).startsWith(folder)) take(`${name} ${args.map(String).join(" ")}`);
        return call(...args as never[]);
      };
      Object.assign(Deno, { [name]: patched });
      this.#restore.push(() => Object.assign(Deno, { [name]: call }));
    }
    const { writeSync } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.writeSync = function (bytes) {
      take(`writeSync of ${bytes.length} bytes`);
      return writeSync.call(this, bytes);
    };
    this.#restore.push(() => Deno.FsFile.prototype.writeSync = writeSync);
  }

  /** No more images from here on. */
  stop(): void {
    for (const restore of this.#restore.splice(0)) restore();
  }

  [Symbol.dispose](): void {
    this.stop();
    Deno.removeSync(this.#place, { recursive: true });
  }
}
