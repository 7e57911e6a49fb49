// The machine the figures come from: without it they cannot be compared with others.

export interface Machine {
  readonly os: string;
  readonly arch: string;
  readonly cores: number;
  readonly deno: string;
  readonly node: string;
  /** The file system of the folder the servers worked in: fsync costs nothing on tmpfs and a lot on a disk. */
  readonly filesystem: string;
}

export async function describeMachine(folder: string): Promise<Machine> {
  return {
    os: Deno.build.os,
    arch: Deno.build.arch,
    cores: navigator.hardwareConcurrency,
    deno: Deno.version.deno,
    node: await nodeVersion(),
    filesystem: filesystemOf(folder),
  };
}

export function formatMachine(machine: Machine): string {
  const { os, arch, cores, deno, node, filesystem } = machine;
  return `${os} ${arch}, ${cores} cores; Deno ${deno}, Node ${node}; files on ${filesystem}`;
}

async function nodeVersion(): Promise<string> {
  try {
    const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).trim().replace(/^v/, "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "not installed";
    throw error;
  }
}

function filesystemOf(folder: string): string {
  if (Deno.build.os !== "linux") return "unknown";
  let best = { point: "", type: "unknown" };
  for (const line of Deno.readTextFileSync("/proc/self/mounts").split("\n")) {
    const [, point, type] = line.split(" ");
    if (point === undefined || type === undefined || point.length < best.point.length) continue;
    if (point === "/" || folder === point || folder.startsWith(point + "/")) best = { point, type };
  }
  return best.type;
}
