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

/** What runs the program inside an executable. */
export const ENGINES = ["v8", "quickjs"] as const;
export type Engine = typeof ENGINES[number];

export function executableName(target: string, engine: Engine = "v8"): string {
  return `${productName(engine)}${target.includes("windows") ? ".exe" : ""}`;
}

export function productName(engine: Engine): string {
  return engine === "v8" ? "paddock" : "paddock-lite";
}

/** A target as Node and npm name it. */
export interface NodePlatform {
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
}

export function nodePlatformOf(target: Target): NodePlatform {
  const os = target.includes("windows") ? "win32" : target.includes("apple") ? "darwin" : "linux";
  return { os, cpu: target.startsWith("x86_64") ? "x64" : "arm64" };
}

/** The executables that were compiled into a folder, by their targets: `dist/TARGET/paddock`, and `dist/paddock`. */
export function compiledIn(dist: string): { target: Target; path: string }[] {
  return TARGETS.flatMap((target) => {
    const paths = [`${dist}/${target}/${executableName(target)}`];
    if (target === Deno.build.target) paths.push(`${dist}/${executableName(target)}`);
    const path = paths.find(isFile);
    return path === undefined ? [] : [{ target, path }];
  });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
