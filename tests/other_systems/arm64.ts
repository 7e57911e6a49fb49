/**
 * `deno task test:arm64 [FOLDER] [tests/…]`: the tests with Deno for aarch64, under qemu 10, which it sets up in a
 * folder. Only Deno is emulated; the programs it starts are this machine's own. It needs root, and takes long.
 */
import { cacheFolder, namedTests } from "./cache_folder.ts";
import { debian, denoFor, exists, run } from "./debian.ts";

/** All unit tests and, end to end, a running server and every tool that writes. */
const TESTS = [
  ...["base", "build", "cli", "commands", "confine", "console", "engine", "pins", "runtime", "sandbox"],
  ...["server", "surfaces", "text", "tools", "transports", "support", "e2e/platforms/journey_test.ts"],
].map((name) => `tests/${name}`);

/** How the kernel recognises a program for aarch64: the head of its file, and which bits of that count. */
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** Registers qemu with the kernel, in a namespace that ends with it, and runs the arguments there. */
const INSIDE = `
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc &&
printf '%s' ":paddock:M::${MAGIC}:${MASK}:$1/usr/bin/qemu-aarch64:F" >/proc/sys/fs/binfmt_misc/register || exit 1
export QEMU_LD_PREFIX=$2/prefix DENO_DIR=$2/deno_dir PADDOCK_TEST_TRIALS=0.05 PADDOCK_TEST_PATIENCE=10; shift 2
exec "$@"`;

/**
 * Where qemu looks for libraries: it looks there first for any file, so nothing else may be in it. A `proc` there
 * would be mistaken for the machine's own.
 */
function makePrefix(folder: string): void {
  if (exists(folder)) return;
  Deno.mkdirSync(folder);
  Deno.symlinkSync("../arm64/usr/lib", `${folder}/lib`);
}

if (import.meta.main) {
  const folder = cacheFolder();
  const qemu = await debian({ folder: `${folder}/qemu`, arch: "amd64", packages: ["qemu-user"] });
  const libraries = qemu && await debian({ folder: `${folder}/arm64`, arch: "arm64", packages: [] });
  const deno = libraries && await denoFor("linux-arm64-glibc", folder);
  if (qemu === undefined || libraries === undefined || deno === undefined) Deno.exit(0);
  Deno.chmodSync(`${deno}/deno`, 0o755);
  makePrefix(`${folder}/prefix`);
  const tests = ["test", "-A", "--no-check", "--parallel", "--lock=tests/deno.lock", ...namedTests(TESTS)];
  const isRight = await run(
    "unshare",
    "-Urm",
    "bash",
    "-c",
    INSIDE,
    "bash",
    qemu,
    folder,
    `${deno}/deno`,
    ...tests,
  );
  Deno.exit(isRight ? 0 : 1);
}
