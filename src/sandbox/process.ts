/** What the process itself is told and given: signals, and its standard streams. */

export interface SignalActions {
  stop: (signal: string) => void;
  reload: () => void;
}

/** Which signals mean what. */
export interface SignalMeanings {
  readonly stop: readonly Deno.Signal[];
  readonly reload: readonly Deno.Signal[];
}

/**
 * Windows has Ctrl-C, Ctrl-Break and the closing of the console, which comes as SIGHUP and leaves five seconds. Nothing
 * there asks for a reload, and nothing that ends a process from outside can be heard.
 */
export function signalMeanings(os: typeof Deno.build.os): SignalMeanings {
  return os === "windows"
    ? { stop: ["SIGINT", "SIGBREAK", "SIGHUP"], reload: [] }
    : { stop: ["SIGINT", "SIGTERM"], reload: ["SIGHUP"] };
}

/**
 * The signals to this process. From here on none ends it; those that come before somebody acts on them are kept for
 * that one, so that a server is stopped properly in its first moments too.
 */
export class Signals {
  readonly #early: ((actions: SignalActions) => void)[] = [];
  #actions: SignalActions | undefined;

  constructor() {
    const meanings = signalMeanings(Deno.build.os);
    for (const signal of meanings.stop) {
      Deno.addSignalListener(signal, () => this.#pass(({ stop }) => stop(signal)));
    }
    for (const signal of meanings.reload) {
      Deno.addSignalListener(signal, () => this.#pass(({ reload }) => reload()));
    }
  }

  actOn(actions: SignalActions): void {
    this.#actions = actions;
    for (const pass of this.#early.splice(0)) pass(actions);
  }

  #pass(pass: (actions: SignalActions) => void): void {
    if (this.#actions === undefined) this.#early.push(pass);
    else pass(this.#actions);
  }
}

/** Whether another program has the terminal: the system stops whoever reads from it then. */
export function isInBackground(): boolean {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "read" }).state !== "granted") {
    return false;
  }
  try {
    const stat = Deno.readTextFileSync("/proc/self/stat");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return foreground !== "-1" && group !== foreground;
  } catch {
    return false; // no /proc here
  }
}

/**
 * Whether the process was given a standard input and output. A closed one is opened as /dev/null by the runtime,
 * for reading and writing, which nobody else does.
 */
export function standardStreams(): { stdin: boolean; stdout: boolean } {
  return { stdin: !isClosed(0), stdout: !isClosed(1) };
}

function isClosed(fd: number): boolean {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "read" }).state !== "granted") {
    return false;
  }
  try {
    if (Deno.readLinkSync(`/proc/self/fd/${fd}`) !== "/dev/null") return false;
    const flags = /^flags:\s*([0-7]+)/m.exec(Deno.readTextFileSync(`/proc/self/fdinfo/${fd}`))?.[1] ?? "0";
    return (parseInt(flags, 8) & 0o3) === 0o2;
  } catch {
    return false; // no /proc here: the first read or write will tell
  }
}

/** What Deno itself was started with, the program's own arguments among it; undefined where the system does not tell. */
export function denoArguments(): string[] | undefined {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "read" }).state !== "granted") {
    return undefined;
  }
  try {
    return Deno.readTextFileSync("/proc/self/cmdline").split("\0").slice(1, -1);
  } catch {
    return undefined;
  }
}

/** Whether Deno itself was given a flag; undefined where the system does not tell. */
export function denoWasGiven(flag: string): boolean | undefined {
  return denoArguments()?.includes(flag);
}
