/** How a client starts this program. */

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Program {
  /** Whether it is a compiled executable, rather than run by Deno. */
  readonly standalone: boolean;
  readonly executable: string;
  readonly mainModule: string;
  readonly denoVersion: string;
  readonly os: typeof Deno.build.os;
}

export function thisProgram(): Program {
  return {
    standalone: Deno.build.standalone,
    executable: Deno.execPath(),
    mainModule: Deno.mainModule,
    denoVersion: Deno.version.deno,
    os: Deno.build.os,
  };
}

export function serverCommand(program: Program, args: readonly string[]): ServerCommand {
  const { standalone, executable, mainModule, denoVersion, os } = program;
  if (standalone) return { command: executable, args };
  const run = ["run", "-A", pathOf(mainModule, os), ...args];
  // npx's download may be gone tomorrow: let it download again.
  if (/[\\/]_npx[\\/]/.test(executable)) {
    const npx = ["npx", "-y", `deno@${denoVersion}`, ...run];
    const [command = "", ...others] = os === "windows" ? ["cmd", "/c", ...npx] : npx; // npx is a script there
    return { command, args: others };
  }
  return { command: executable, args: run };
}

function pathOf(module: string, os: Program["os"]): string {
  if (!module.startsWith("file:")) return module;
  const path = decodeURIComponent(new URL(module).pathname);
  return os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "").replaceAll("/", "\\") : path;
}
