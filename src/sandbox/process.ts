/** What the process receives: signals, its standard streams and its arguments. */
import { type Descriptor, descriptors, isInBackgroundOfTerminal } from "./kernel/own_process.ts";

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
 * Windows has Ctrl-C, Ctrl-Break and the closing of the console, which arrives as SIGHUP and leaves five
 * seconds. Nothing there requests a reload, and a process ended from outside gets no notice.
 */
export function signalMeanings(os: typeof Deno.build.os): SignalMeanings {
  return os === "windows"
    ? { stop: ["SIGINT", "SIGBREAK", "SIGHUP"], reload: [] }
    : { stop: ["SIGINT", "SIGTERM"], reload: ["SIGHUP"] };
}

/**
 * The signals to this process. Once this object exists none of them ends the process; those that arrive
 * before `actOn` are kept for it, so a server also stops properly in its first moments.
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

/** Whether another program has the terminal: the system would stop this one if it read from it. */
export function isInBackground(): boolean {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "read" }).state !== "granted") {
    return false;
  }
  try {
    const stat = Deno.readTextFileSync("/proc/self/stat");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return foreground !== "-1" && group !== foreground;
  } catch {
    return isInBackgroundOfTerminal() ?? false;
  }
}

/**
 * Whether the process has a standard input and output. The runtime opens a closed one as /dev/null, for
 * reading and writing, which nobody else does.
 */
export function standardStreams(): { stdin: boolean; stdout: boolean } {
  const [stdin, stdout] = standardDescriptors();
  return { stdin: !isClosed(stdin), stdout: !isClosed(stdout) };
}

function standardDescriptors(): (Descriptor | undefined)[] {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "read" }).state !== "granted") {
    return [];
  }
  try {
    return STANDARD.map(descriptorByProc);
  } catch {
    return descriptors(STANDARD);
  }
}

const STANDARD = [0, 1];

function descriptorByProc(fd: number): Descriptor {
  const path = Deno.readLinkSync(`/proc/self/fd/${fd}`);
  const flags = /^flags:\s*([0-7]+)/m.exec(Deno.readTextFileSync(`/proc/self/fdinfo/${fd}`))?.[1] ?? "0";
  return { path, flags: parseInt(flags, 8) };
}

/** If nothing is known, the first read or write will show it. */
function isClosed(stream: Descriptor | undefined): boolean {
  const isForBoth = ((stream?.flags ?? 0) & 0o3) === 0o2;
  return stream?.path === "/dev/null" && isForBoth;
}

/** Deno's own arguments, including the program's; undefined where the system does not reveal them. */
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

/** Whether Deno itself was given a flag; undefined where the system does not reveal it. */
export function denoWasGiven(flag: string): boolean | undefined {
  return denoArguments()?.includes(flag);
}
