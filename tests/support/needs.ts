/**
 * What a test needs beyond Deno: a program, a privilege, a feature of the system. If that is missing, the test is
 * ignored and its name says why, which tests/run.ts counts:
 *
 *     Deno.test(withGit("change makes a commit that git agrees with"), async () => { … });
 *     Deno.test({ ...needs("Linux", "prlimit")("a server out of descriptors keeps running"), fn: … });
 */
import { hasBrowser } from "./find_browser.ts";
import { npmCache, testedExecutable } from "./server.ts";

const LINUX = Deno.build.os === "linux";
const UNIX = Deno.build.os !== "windows";

/** Tried on the file system of temporary files; nothing is left behind. */
const OVERLAY = `d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir l u w m &&
  mount -t overlay -o lowerdir=l,upperdir=u,workdir=w overlay m && umount m`;

/** As strange_fs/main.ts mounts it, though nobody answers here. */
const FUSE = `exec 3<>/dev/fuse && mount -i -t fuse.strange strange /mnt -o \\
fd=3,rootmode=40755,user_id=0,group_id=0,allow_other,default_permissions`;

/** Gives a file to another user; nothing is left behind. */
const GIVEN = `f=$(mktemp) && trap 'rm -f "$f"' EXIT && chown 1000:1001 "$f"`;

/** Each is looked for when a test first asks for it; programs that only have to exist are listed below. */
const FEATURES = {
  Unix: () => UNIX,
  Linux: () => LINUX,
  Windows: () => !UNIX,
  IPv6: listensOnIpv6,
  "files of other users": () => LINUX && Deno.uid() === 0 && runs("sh", "-c", GIVEN),
  "a user other than root": () => UNIX && Deno.uid() !== 0,
  "modes that bind this user": () => LINUX && (Deno.uid() !== 0 || runs("unshare", "-r", "true")),
  "a mount namespace": () => LINUX && runs("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"),
  "an overlay mount": () => LINUX && runs("unshare", "-rm", "sh", "-c", OVERLAY),
  "an executable in PADDOCK_EXE": () => testedExecutable() !== undefined,
  "no executable in PADDOCK_EXE": () => testedExecutable() === undefined,
  "packages in PADDOCK_DIST": () => distFolder() !== "",
  "a runtime in DENORT_BIN": () => Deno.env.has("DENORT_BIN"),
  "a run without coverage": () => !Deno.env.has("DENO_COVERAGE_DIR"),
  "Deno 2.9.6 in the cache of npx": npxHasDeno,
  "basic tools": () => UNIX && ["id", "ln", "mkdir", "seq", "sh", "touch", "true"].every(isInstalled),
  "a browser": hasBrowser,
  Landlock: hasLandlock,
  FUSE: () => LINUX && runs("nsenter", "--version") && runs("unshare", "-rm", "sh", "-c", FUSE),
  prlimit: () => LINUX && runs("prlimit", "--version"),
  script: () => runs("script", "--version"), // util-linux's, whose options are not those of BSD's
} as const satisfies Record<string, () => boolean>;

export const PROGRAMS = [
  "bash",
  "cmp",
  "curl",
  "diff",
  "fish",
  "git",
  "groff",
  "mkfifo",
  "node",
  "npm",
  "patch",
  "shellcheck",
  "zsh",
] as const;

type Feature = keyof typeof FEATURES;
export type Need = Feature | typeof PROGRAMS[number];

function isFeature(need: Need): need is Feature {
  return Object.hasOwn(FEATURES, need);
}

/** Asks the kernel itself: that it is compiled in does not mean that it may be used. */
function hasLandlock(): boolean {
  if (!LINUX || Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return false;
  const parameters = ["i64", "i64", "i64", "i64"] as const;
  const libc = Deno.dlopen("libc.so.6", { syscall: { parameters, result: "i64" } });
  try {
    return libc.symbols.syscall(444n, 0n, 0n, 1n) >= 2n;
  } finally {
    libc.close();
  }
}

/** A test's name, and whether it is ignored; the options of Deno.test and of a step. */
export interface Named {
  name: string;
  ignore: boolean;
}

const found = new Map<Need, boolean>();

export function has(need: Need): boolean {
  const known = found.get(need);
  if (known !== undefined) return known;
  const answer = isFeature(need) ? FEATURES[need]() : isInstalled(need);
  found.set(need, answer);
  return answer;
}

/** Names tests that need all of these. */
export function needs(...all: Need[]): (name: string) => Named {
  const missing = all.find((need) => !has(need));
  return (name) => ({
    name: missing === undefined ? name : `${name} [needs ${missing}]`,
    ignore: missing !== undefined,
  });
}

export const onUnix = needs("Unix");
export const onLinux = needs("Linux");
export const withGit = needs("git");
export const withMkfifo = needs("mkfifo");

/** Where a build has put its executables and packages, for their tests; empty if there is nothing to test. */
export function distFolder(): string {
  return Deno.env.get("PADDOCK_DIST") ?? "";
}

/** Whether the PATH leads to a program of this name. */
function isInstalled(program: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(UNIX ? ":" : ";").filter((folder) => folder !== "");
  const endings = UNIX ? [""] : [".exe", ".cmd", ".bat"];
  return folders.some((folder) => endings.some((ending) => isFile(`${folder}/${program}${ending}`)));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Looked up, not tried: npx would download it, and keep a log in the home folder. */
function npxHasDeno(): boolean {
  const folder = `${npmCache()}/_npx`;
  try {
    return [...Deno.readDirSync(folder)].some(({ name }) => {
      const file = `${folder}/${name}/node_modules/deno/package.json`;
      return isFile(file) && JSON.parse(Deno.readTextFileSync(file)).version === "2.9.6";
    });
  } catch {
    return false;
  }
}

function runs(program: string, ...args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

function listensOnIpv6(): boolean {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}
