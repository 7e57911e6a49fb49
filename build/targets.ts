/** The systems that executables are built for, as Deno names them. */

export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
] as const;

export type Target = typeof TARGETS[number];

export function isTarget(name: string): name is Target {
  return (TARGETS as readonly string[]).includes(name);
}

export function executableName(target: string): string {
  return target.includes("windows") ? "paddock.exe" : "paddock";
}
