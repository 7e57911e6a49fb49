import { assert, assertEquals, assertMatch } from "@std/assert";
import type { HostFacts } from "../../src/base/config.ts";
import { describeEntry, describePermissions, listFolder } from "../../src/engine/metadata.ts";
import { abortedAfter, engineFolder, keptMode, refusal } from "../support/engine.ts";
import { onUnix, withMkfifo } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const NOBODY: HostFacts = { users: [], groups: [], umask: 0o022 };
const ITSELF = { follow: false };
const TIME = new Date("2024-02-03T04:05:06.789Z");
const refused = (action: () => unknown) => refusal((async () => await action())());

Deno.test("describeEntry returns type, size and times of a file and of a folder", () => {
  using folder = engineFolder();
  Deno.utimeSync(folder.write("sub/a.txt", "12345"), TIME, TIME);
  Deno.utimeSync(`${folder.path}/sub`, TIME, TIME);
  const { createdAt, ino, ...file } = describeEntry(folder.at("sub/a.txt"));
  assertEquals(ino, Deno.statSync(`${folder.path}/sub/a.txt`).ino);
  assertEquals(file, {
    name: "a.txt",
    type: "file",
    size: 5,
    modifiedAt: "2024-02-03T04:05:06.789Z",
    mtimeMs: TIME.getTime(),
    target: undefined,
  });
  if (createdAt !== undefined) assertMatch(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { name, type, modifiedAt } = describeEntry(folder.at("sub"));
  assertEquals([name, type, modifiedAt], ["sub", "directory", TIME.toISOString()]);
  assertEquals([describeEntry(folder.at("")).name, describeEntry(folder.at("/")).type], ["", "directory"]);
});

Deno.test(withMkfifo("describeEntry classifies a pipe as other"), () => {
  using folder = engineFolder();
  assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync().code, 0);
  assertEquals(describeEntry(folder.at("pipe")).type, "other");
});

Deno.test("describeEntry describes a link itself, and its target only if that is inside", () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret.txt", "a secret");
  Deno.utimeSync(folder.write("sub/a.txt", "12345"), TIME, TIME);
  const modifiedAt = TIME.toISOString();
  Deno.utimeSync(`${folder.path}/sub`, TIME, TIME);
  const { size, ino } = Deno.statSync(`${folder.path}/sub`);
  const mtimeMs = TIME.getTime();
  const file = {
    type: "file",
    size: 5,
    modifiedAt,
    mtimeMs,
    ino: Deno.statSync(`${folder.path}/sub/a.txt`).ino,
  };
  const cases = {
    file: ["sub/a.txt", file],
    folder: ["sub", { type: "directory", size, modifiedAt, mtimeMs, ino }],
    chain: ["file", file],
    absolute: [`${folder.path}/sub/a.txt`, file],
    away: [`${outside.path}/secret.txt`, { type: "external" }],
    off: [outside.path, { type: "external" }],
    up: ["..", { type: "external" }],
    sibling: [`${folder.path}_evil`, { type: "missing" }],
    lost: ["nowhere", { type: "missing" }],
    loop: ["loop", { type: "missing" }],
  } satisfies Record<string, [string, unknown]>;
  for (const [name, [target]] of Object.entries(cases)) Deno.symlinkSync(target, `${folder.path}/${name}`);
  for (const [name, [, target]] of Object.entries(cases)) {
    const entry = describeEntry(folder.at(name, ITSELF));
    assertEquals<unknown[]>([entry.name, entry.type, entry.target], [name, "symlink", target]);
  }
});

Deno.test("describeEntry reports that a file is not found, with the noun it was given", async () => {
  using folder = engineFolder();
  assertEquals(await refused(() => describeEntry(folder.at("no"))), "NOT_FOUND: file not found: no");
  assertEquals(
    await refused(() => describeEntry(folder.at("no/a"), "entry")),
    "NOT_FOUND: entry not found: no/a",
  );
});

Deno.test("listFolder lists by code point, with types, and without the program's own files", async () => {
  using folder = engineFolder();
  const odd = Deno.build.os === "windows" ? [] : ["é\n"]; // a name that Windows does not allow
  for (const name of ["b", "a", "C", "ä", ".hidden", "10", "9", "z/inside", ".paddock-00ff.tmp", ...odd]) {
    folder.write(name, name);
  }
  const entries = await listFolder(folder.at(""));
  assertEquals(
    entries.map(({ name, type }) => `${name} ${type}`),
    [".hidden file", "10 file", "9 file", "C file", "a file", "b file", "z directory", "ä file"]
      .concat(odd.map((name) => `${name} file`)),
  );
  assertEquals(entries.find(({ name }) => name === "a")?.size, 1);
});

Deno.test("listFolder lists links with what they lead to, unless that lies outside", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  folder.write("a", "a");
  Deno.symlinkSync("a", `${folder.path}/link`);
  Deno.symlinkSync(outside.path, `${folder.path}/out`);
  assertEquals(
    (await listFolder(folder.at(""))).map(({ name, type, target }) => [name, type, target?.type]),
    [["a", "file", undefined], ["link", "symlink", "file"], ["out", "symlink", "external"]],
  );
});

Deno.test("listFolder leaves out what disappears meanwhile, and an empty folder is empty", async () => {
  using folder = engineFolder();
  folder.write("a", "");
  let gone: string | undefined = folder.write("b", "");
  Deno.mkdirSync(`${folder.path}/empty`);
  const list = Deno.readDirSync;
  Deno.readDirSync = (path) => {
    const entries = Array.from(list(path));
    if (gone !== undefined) Deno.removeSync(gone);
    gone = undefined;
    return entries.values();
  };
  try {
    assertEquals((await listFolder(folder.at(""))).map(({ name }) => name), ["a", "empty"]);
  } finally {
    Deno.readDirSync = list;
  }
  assertEquals(await listFolder(folder.at("empty")), []);
});

Deno.test("listFolder refuses a file and a missing folder, and stops when the call is cancelled", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 300; i++) folder.write(`${i}`, "");
  assertMatch(await refusal(listFolder(folder.at("1"))), /^INVALID_INPUT: .* not a (directory|folder): "1"$/);
  assertEquals(await refusal(listFolder(folder.at("no"))), "NOT_FOUND: directory not found: no");
  assertEquals(await refusal(listFolder(folder.at(""), abortedAfter(1))), "TIMEOUT: the call was cancelled");
});

Deno.test(onUnix("describePermissions returns names if they are known, and numbers otherwise"), () => {
  using folder = engineFolder();
  const path = folder.write("a.txt", "");
  Deno.chmodSync(path, 0o4750);
  const { uid, gid } = Deno.statSync(path);
  const mode = { mode: "4750", modeString: "-rwsr-x---" };
  assertEquals(describePermissions(folder.at("a.txt"), NOBODY), {
    owner: `${uid}`,
    group: `${gid}`,
    ...mode,
  });
  const users = [[(uid ?? 0) + 1, "other"], [uid ?? 0, "ann"]] as const;
  assertEquals(
    describePermissions(folder.at("a.txt"), { ...NOBODY, users, groups: [[gid ?? 0, "staff"]] }),
    { owner: "ann", group: "staff", ...mode },
  );
});

Deno.test("describePermissions describes a folder, and says what is not there", async () => {
  using folder = engineFolder();
  Deno.mkdirSync(`${folder.path}/sub`);
  Deno.chmodSync(`${folder.path}/sub`, 0o1777);
  const expected = keptMode(0o1777) === 0o1777 ? "drwxrwxrwt" : "drw-rw-rw-";
  assertEquals(describePermissions(folder.at("sub"), NOBODY).modeString, expected);
  assertEquals(
    await refused(() => describePermissions(folder.at("no"), NOBODY)),
    "NOT_FOUND: file not found: no",
  );
});

Deno.test("describePermissions describes a link itself", () => {
  using folder = engineFolder();
  Deno.symlinkSync(folder.write("a", ""), `${folder.path}/link`);
  const link = describePermissions(folder.at("link", ITSELF), NOBODY);
  assert(link.modeString.startsWith("l"), link.modeString);
});
