// The files for measuring searches: a tree of real source files, from packages of the npm registry, and one large
// log. The packages are fetched once. Files with a null byte are left out: ripgrep and paddock differ in how much of
// such a file they read.

import { join } from "@std/path/join";

const CACHE = join(import.meta.dirname ?? ".", ".cache", "search_tree");
const PACKAGES = [
  "aws-sdk@2.1692.0",
  "core-js@3.45.0",
  "date-fns@4.1.0",
  "lodash@4.17.21",
  "rxjs@7.8.2",
  "three@0.180.0",
  "typescript@5.9.2",
];

/** Creates the tree in a folder; returns how many files it has. */
export async function makeSourceTree(folder: string, signal: AbortSignal): Promise<number> {
  return copyText(await fetchPackages(signal), folder);
}

async function fetchPackages(signal: AbortSignal): Promise<string> {
  const folder = join(CACHE, "node_modules");
  const done = join(CACHE, "done.txt");
  if (readIfThere(done) === PACKAGES.join()) return folder;
  Deno.mkdirSync(CACHE, { recursive: true });
  Deno.writeTextFileSync(join(CACHE, "..", ".gitignore"), "*\n");
  console.error(`Fetching ${PACKAGES.length} packages to search in …`);
  const { success, stderr } = await new Deno.Command(Deno.build.os === "windows" ? "npm.cmd" : "npm", {
    args: ["install", "--prefix", CACHE, "--ignore-scripts", "--no-bin-links", "--no-audit", "--no-fund"]
      .concat("--no-package-lock", ...PACKAGES),
    stdin: "null",
    signal,
  }).output();
  if (!success) throw new Error(`npm install failed: ${new TextDecoder().decode(stderr).trim()}`);
  Deno.writeTextFileSync(done, PACKAGES.join());
  return folder;
}

function readIfThere(file: string): string | undefined {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function copyText(from: string, to: string): number {
  let count = 0;
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    if (isDirectory) count += copyText(join(from, name), join(to, name));
    if (!isFile) continue;
    const bytes = Deno.readFileSync(join(from, name));
    if (bytes.includes(0)) continue;
    Deno.writeFileSync(join(to, name), bytes);
    count++;
  }
  return count;
}

const LEVELS = ["DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR"];
const PARTS = ["auth", "billing", "cache", "queue", "scheduler", "storage"];
const BLOCK_LINES = 20_000;

/** Writes a log of this many bytes or a little more: identical every time. */
export function writeLog(path: string, bytes: number): void {
  using file = Deno.createSync(path);
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below; // the low bits repeat soon
  };
  for (let written = 0, second = 0; written < bytes;) {
    let text = "";
    for (let i = 0; i < BLOCK_LINES; i++) {
      const time = new Date(1.7e12 + (second += next(3)) * 1000).toISOString();
      const part = PARTS[next(PARTS.length)];
      text +=
        `${time} ${LEVELS[next(LEVELS.length)]} ${part}[${next(9999)}]: request ${next(1e9).toString(16)} ` +
        `for user ${next(100_000)} took ${next(5000)} ms, ${next(1e6)} bytes\n`;
    }
    const block = new TextEncoder().encode(text);
    for (let done = 0; done < block.length;) done += file.writeSync(block.subarray(done));
    written += block.length;
  }
}

/** Writes this many small files, a thousand to a folder. */
export function writeSmallFiles(folder: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const inner = join(folder, `part_${Math.floor(i / 1000)}`);
    if (i % 1000 === 0) Deno.mkdirSync(inner, { recursive: true });
    Deno.writeTextFileSync(
      join(inner, `file_${i}.txt`),
      `file ${i}\n${"some words of text\n".repeat(i % 20)}`,
    );
  }
}
