import { assert, assertEquals, assertMatch } from "@std/assert";
import { aliasesOf, namesFor, realDirectory, ROOT_NAME, writableDirectory } from "../../src/cli/root_dirs.ts";
import { needs, onLinux, onUnix } from "../support/needs.ts";
import { NUL, withTempDir } from "./support.ts";

/** The name of the topmost folder: on Windows the drive. */
const TOP = Deno.build.os === "windows" ? Deno.cwd().slice(0, 1) : "root";

Deno.test("namesFor names roots after their folders, within the rule for names", () => {
  const long = "x".repeat(80);
  const cases: [dirs: string[], names: string[]][] = [
    [["/a/src", "/b/src", "/c/src"], ["src", "src-2", "src-3"]],
    [["/a/src", "/b/src-2", "/c/src"], ["src", "src-2", "src-3"]],
    [["/a/src-2", "/b/src", "/c/src"], ["src-2", "src", "src-3"]],
    [["/a/src/", "/a//src//"], ["src", "src-2"]],
    [["/"], [TOP]],
    [["/", "/."], [TOP, `${TOP}-2`]],
    [["/a/.config"], ["config"]],
    [["/a/My Files (old)"], ["My-Files-old"]],
    [["/a/日本"], ["root"]],
    [["/a/-x"], ["x"]],
    [["/a/été"], ["t"]],
    [["/a/v1.2_b"], ["v1.2_b"]],
    [[`/a/${long}`, `/b/${long}`], ["x".repeat(64), `${"x".repeat(62)}-2`]],
  ];
  for (const [dirs, names] of cases) {
    assertEquals(namesFor(dirs), names);
    for (const name of names) assert(ROOT_NAME.test(name), name);
  }
});

Deno.test("namesFor looks up what a path that ends in dots stands for", () =>
  withTempDir((dir) => {
    Deno.mkdirSync(`${dir}/outer/inner`, { recursive: true });
    assertEquals(namesFor([`${dir}/outer/inner/.`, `${dir}/outer/inner/..`]), ["inner", "outer"]);
  }));

Deno.test("namesFor keeps the name of a link rather than its target's", () =>
  withTempDir((dir) => {
    Deno.mkdirSync(`${dir}/v12`);
    Deno.symlinkSync(`${dir}/v12`, `${dir}/current`);
    assertEquals(namesFor([`${dir}/current`]), ["current"]);
  }));

Deno.test("realDirectory resolves links and says why a path cannot be served", () =>
  withTempDir((dir) => {
    Deno.mkdirSync(`${dir}/real`);
    Deno.writeTextFileSync(`${dir}/file`, "");
    Deno.symlinkSync("real", `${dir}/link`);
    Deno.symlinkSync("nowhere", `${dir}/dangling`);
    Deno.symlinkSync("loop", `${dir}/loop`);
    const cases: [name: string, expected: ReturnType<typeof realDirectory>][] = [
      ["real", { value: `${dir}/real` }],
      ["link", { value: `${dir}/real` }],
      ["link/../real/.", { value: `${dir}/real` }],
      ["none", { reason: "does not exist" }],
      ["dangling", { reason: "does not exist" }],
      ["file", { reason: "is not a directory" }],
      ["file/x", { reason: "does not exist (a part of the path is a file)" }],
      ["loop", { reason: "is a symbolic link that leads back to itself" }],
      ["a\0b", { reason: `cannot be read: ${NUL}` }],
    ];
    for (const [name, expected] of cases) assertEquals(realDirectory(`${dir}/${name}`), expected, name);
  }));

Deno.test(
  onLinux("realDirectory refuses what the outer fence keeps closed"),
  () =>
    withTempDir((dir) => {
      Deno.symlinkSync("/proc/self", `${dir}/link`);
      const cases: [path: string, folder: string][] = [
        ["/dev", "/dev"],
        ["/proc/sys", "/proc"],
        ["/sys", "/sys"],
        [`${dir}/link`, "/proc"],
      ];
      for (const [path, folder] of cases) {
        const reason = `is in ${folder}, which the outer fence keeps closed`;
        assertEquals(realDirectory(path), { reason }, path);
        assertEquals(writableDirectory(path), { reason }, path);
      }
    }),
);

Deno.test(onUnix("realDirectory leaves the path out of the system's own message"), () => {
  const checked = realDirectory(`/${"x".repeat(300)}`);
  assertMatch(
    "reason" in checked ? checked.reason : "accepted",
    /^cannot be read: File name too long \(os error \d+\)$/,
  );
});

Deno.test(
  needs("Unix", "a user other than root")("realDirectory refuses a directory that the user may not list"),
  () =>
    withTempDir((dir) => {
      Deno.mkdirSync(`${dir}/closed`, { mode: 0o000 });
      const checked = realDirectory(`${dir}/closed`);
      Deno.chmodSync(`${dir}/closed`, 0o700); // so that it can be removed
      assertEquals(checked, { reason: "cannot be read: permission denied" });
    }),
);

Deno.test({
  name: "realDirectory names the missing permission, and does not prompt for it",
  permissions: "none",
  fn() {
    assertEquals(realDirectory("/"), {
      reason: "cannot be read: the process was started without --allow-read=/",
    });
  },
});

Deno.test("writableDirectory returns the real path, and leaves nothing behind", () =>
  withTempDir((dir) => {
    Deno.mkdirSync(`${dir}/real`);
    Deno.symlinkSync("real", `${dir}/link`);
    assertEquals(writableDirectory(`${dir}/link`), { value: `${dir}/real` });
    assertEquals([...Deno.readDirSync(`${dir}/real`)], []);
  }));

Deno.test("writableDirectory reports the same as realDirectory for anything but a directory", () =>
  withTempDir((dir) => {
    Deno.writeTextFileSync(`${dir}/file`, "");
    assertEquals(writableDirectory(`${dir}/file`), { reason: "is not a directory" });
    assertEquals(writableDirectory(`${dir}/none`), { reason: "does not exist" });
  }));

Deno.test(
  needs("Unix", "a user other than root")(
    "writableDirectory refuses a directory that the user may not write to",
  ),
  () =>
    withTempDir((dir) => {
      Deno.mkdirSync(`${dir}/closed`, { mode: 0o500 });
      assertEquals(writableDirectory(`${dir}/closed`), { reason: "is not writable" });
    }),
);

Deno.test({
  name: "writableDirectory names the missing permission, and does not prompt for it",
  permissions: { read: true },
  fn() {
    const here = Deno.realPathSync(import.meta.dirname ?? ".");
    assertEquals(writableDirectory(here), {
      reason: `is not writable: the process was started without --allow-write=${here}`,
    });
  },
});

Deno.test("aliasesOf keeps an absolute path that leads through a link, with the separators of the system", () => {
  const cases: [os: typeof Deno.build.os, given: string, real: string, aliases: string[]][] = [
    ["linux", "/tmp/a/", "/private/tmp/a", ["/tmp/a"]],
    ["linux", "/tmp/a/", "/tmp/a", []],
    ["linux", "/TMP/a", "/tmp/a", ["/TMP/a"]],
    ["linux", "a", "/tmp/a", []],
    ["linux", "/tmp/../a", "/a", []],
    ["windows", "c:/Users/Ann/", "C:\\Users\\Ann", []],
    ["windows", "C:/link/data", "D:\\data", ["C:\\link\\data"]],
    ["windows", "C:\\link\\..\\data", "D:\\data", []],
  ];
  for (const [os, given, real, aliases] of cases) assertEquals(aliasesOf(given, real, os), aliases, given);
});
