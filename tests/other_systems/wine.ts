/**
 * `deno task test:wine [FOLDER] [tests/…]`: the tests with Deno for Windows, under wine 10, which it sets up in a
 * folder. A failure that is not wine's own (known_of_wine.ts) fails the task. It needs root, and takes long.
 */
import { Ignored, sumOf } from "../run.ts";
import { cacheFolder, namedTests } from "./cache_folder.ts";
import { debian, denoFor } from "./debian.ts";
import { failuresIn } from "./failures.ts";
import { judge } from "./known_of_wine.ts";
import { testsAt } from "./tests_at.ts";

const TESTS = [
  "tests/base",
  "tests/text",
  "tests/tools",
  "tests/cli",
  "tests/confine",
  "tests/engine",
  "tests/commands/doctor",
  "tests/e2e/platforms",
];
/** How many files of tests run at a time. */
const AT_ONCE = 3;
/** How long one file may take. One that takes longer is ended, and its name reported. */
const LIMIT_MS = 15 * 60_000;
const PACKAGES = ["wine", "wine64", "ca-certificates"];

/**
 * Mounts what is needed, in a namespace that ends with it, and runs the arguments there. Temporary files are in memory:
 * wine takes long to write through to a disk.
 */
const INSIDE = `
local="$1/prefix/drive_c/users/root/AppData/Local"
mkdir -p "$1/repo" "$1/deno" "$1/deno_dir" "$local"
[ -L "$local/Temp" ] || { rm -rf "$local/Temp" && ln -s /dev/shm "$local/Temp"; }
mount --bind "$2" "$1/repo" && mount --bind "$3" "$1/deno" && mount -t proc proc "$1/proc" &&
mount --rbind /dev "$1/dev" && cp /etc/resolv.conf "$1/etc/" && cp /etc/ssl/certs/ca-certificates.crt "$1/ca.crt"
root=$1; shift 3
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 WINEPREFIX=/prefix WINEDEBUG=-all \\
  DENO_DIR='Z:\\deno_dir' DENO_CERT='Z:\\ca.crt' DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 \\
  PADDOCK_TEST_TRIALS=0.05 PADDOCK_TEST_PATIENCE=10 \\
  sh -c 'cd /repo && exec wine "$@"' sh "$@"`;

interface Ended {
  printed: string;
  /** `undefined` if it was ended because it took too long. */
  code?: number;
}

async function underWine(root: string, deno: string, args: string[]): Promise<Ended> {
  const repository = decodeURIComponent(new URL("../../", import.meta.url).pathname);
  const child = new Deno.Command("unshare", {
    args: ["-m", "sh", "-c", INSIDE, "sh", root, repository, deno, "Z:\\deno\\deno.exe", ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  const read = async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) printed += text;
    return (await child.status).code;
  };
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), LIMIT_MS);
  const code = await Promise.race([read(), late.promise]);
  clearTimeout(timer);
  if (code === undefined) kill(child);
  printed = printed.replaceAll("\r", "");
  console.log(printed);
  return { printed, ...(code !== undefined && { code }) };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it has ended; a program that it started has its output open
  }
}

if (import.meta.main) {
  const folder = cacheFolder();
  const root = await debian({ folder: `${folder}/wine`, arch: "amd64", packages: PACKAGES });
  const deno = root === undefined ? undefined : await denoFor("win32-x64", folder);
  if (root === undefined || deno === undefined) Deno.exit(0);
  const ignored = new Ignored();
  let [passed, wines, wrong] = [0, 0, 0];
  // Each in a process of its own: it cannot hold or take down others, and its failures are reported when it ends.
  const files = namedTests(TESTS).flatMap(testsAt).values();
  const work = async () => {
    for (const file of files) await tryFile(file);
  };
  const tryFile = async (file: string) => {
    const tests = ["test", "-A", "--no-check", "--lock=tests/deno.lock", file];
    let { printed, code } = await underWine(root, deno, tests);
    if (code !== undefined && sumOf(printed) === undefined) { // wine itself has crashed, which it does now and then
      console.log(`ended with exit code ${code}, and is tried once more: ${file}`);
      ({ printed, code } = await underWine(root, deno, tests));
    }
    ignored.read(printed);
    const sum = sumOf(printed);
    const judged = judge(failuresIn(printed), sum === undefined ? [] : [file]);
    for (const { failure, why } of judged.wines) {
      console.log(`wine: ${failure.file}: ${failure.name}: ${why}`);
    }
    for (const failure of judged.ours) console.log(`ours: ${failure.file}: ${failure.name}`);
    for (const name of judged.passed) console.log(`passes, and is listed as wine's: ${name}`);
    const told = judged.wines.length + judged.ours.length;
    const isUntold = sum === undefined || (code !== 0 && told === 0);
    if (isUntold) {
      console.log(code === undefined ? `took too long: ${file}` : `ended with exit code ${code}: ${file}`);
    }
    passed += sum?.passed ?? 0;
    wines += judged.wines.length;
    wrong += judged.ours.length + judged.passed.length + (isUntold ? 1 : 0);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`ignored: ${String(ignored) || "nothing"}`);
  console.log(`${passed} passed, ${wines} failed by wine, ${wrong} failed`);
  Deno.exit(wrong === 0 && passed > 0 ? 0 : 1);
}
