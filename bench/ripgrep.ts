// ripgrep and fd as separate programs: paddock's searches are compared with them. ripgrep comes from npm; fd is used
// if it is installed.

import { join } from "@std/path/join";
import { installPeer } from "./install_peer.ts";

const VERSION = "1.18.0";
const ARCHITECTURES: Record<string, string> = { x86_64: "x64", aarch64: "arm64" };

/** A line that was found. */
export interface Hit {
  /** Relative to the folder searched. */
  readonly file: string;
  readonly line: number;
  /** Without its ending. */
  readonly text: string;
}

export interface RipgrepSearch {
  readonly folder: string;
  readonly pattern: string;
  readonly threads?: number;
}

/** The path of ripgrep, which is installed if necessary. */
export async function ripgrep(signal: AbortSignal): Promise<string> {
  const { os, arch } = Deno.build;
  const system = os === "windows" ? "win32" : os;
  const name = `@vscode/ripgrep-${system}-${ARCHITECTURES[arch] ?? arch}`;
  const folder = await installPeer({ name, version: VERSION, signal });
  return join(folder, "bin", os === "windows" ? "rg.exe" : "rg");
}

/** Runs plain ripgrep on every file, hidden and ignored ones too; a `\r` before a newline is not part of a line. */
export async function runRipgrep(
  program: string,
  { folder, pattern, threads = 2 }: RipgrepSearch,
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: ["--no-config", "-n", "-uu", "--crlf", "--null", "--no-heading", "--color=never", `-j${threads}`]
      .concat("-e", pattern, "."),
    cwd: folder,
    stdin: "null",
  }).output();
  if (code > 1) throw new Error(`ripgrep failed: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(stdout);
}

/** Its output, in the order of paths and lines. */
export function hitsOf(output: string): Hit[] {
  const hits = output.split("\n").slice(0, -1).map((printed) => {
    const [file = "", rest = ""] = printed.split("\0");
    const colon = rest.indexOf(":");
    const text = rest.slice(colon + 1).replace(/\r$/, "");
    return { file: file.replace(/^\.\//, ""), line: Number(rest.slice(0, colon)), text };
  });
  return hits.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

/** The name of fd on this system; undefined if it is not installed. */
export function findFd(): string | undefined {
  return ["fdfind", "fd"].find((name) => {
    try {
      return new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync()
        .success;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  });
}

/** The files below a folder whose names match a glob, sorted. */
export async function runFd(program: string, folder: string, glob: string): Promise<string[]> {
  const { success, stdout } = await new Deno.Command(program, {
    args: ["-u", "-j2", "--type=f", "--color=never", "--glob", glob, "."],
    cwd: folder,
    stdin: "null",
  }).output();
  if (!success) throw new Error(`${program} failed`);
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1).map((path) => path.replace(/^\.\//, ""))
    .sort();
}
