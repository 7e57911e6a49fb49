/** The calls that a fenced thread keeps, without the fence: their answers are compared with the runtime's. */
import { assert, assertEquals } from "@std/assert";
import { LIBC } from "../../../src/sandbox/kernel/libc.ts";
import { keptCalls } from "../../../src/sandbox/kernel/kept_calls.ts";
import { has, needs } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

const calls = has("Landlock") ? keptCalls() : undefined;
const onLinux = needs("Landlock");

Deno.test({
  ...onLinux(
    "pathOf returns where an open file is, even after a move, and nothing for a number that is not open",
  ),
  fn: () => {
    using folder = tempFolder();
    folder.write("a \u00e9\n.txt", "a");
    const path = Deno.realPathSync(`${folder.path}/a \u00e9\n.txt`);
    const descriptor = openSync(path, "r");
    assertEquals(calls?.pathOf(descriptor), path);
    Deno.mkdirSync(`${folder.path}/d`);
    Deno.renameSync(path, `${folder.path}/d/b`);
    assertEquals(calls?.pathOf(descriptor), `${Deno.realPathSync(folder.path)}/d/b`);
    Deno.removeSync(`${folder.path}/d/b`);
    assert(calls?.pathOf(descriptor) !== `${Deno.realPathSync(folder.path)}/d/b`);
    assertEquals(calls?.pathOf(1_000_000), undefined);
  },
});

Deno.test({
  ...onLinux("exchange swaps two files, and says when it cannot"),
  fn: () => {
    using folder = tempFolder();
    folder.write("a", "a");
    folder.write("b", "b");
    const at = (name: string) => `${folder.path}/${name}`;
    assertEquals(calls?.exchange(at("a"), at("b")), true);
    assertEquals([folder.read("a"), folder.read("b")], ["b", "a"]);
    assertEquals(calls?.exchange(at("a"), at("missing")), false);
    assertEquals(folder.names(), ["a", "b"]);
  },
});

Deno.test({
  ...onLinux("an open folder lists and looks up names like the runtime, however many there are"),
  fn: () => {
    using folder = tempFolder();
    const names = Array.from({ length: 3_000 }, (_, i) => `${i} ${"n\u00e4me ".repeat(i % 20)}`);
    for (const name of names) Deno.writeTextFileSync(`${folder.path}/${name}`, name);
    Deno.mkdirSync(`${folder.path}/folder`);
    Deno.symlinkSync("nowhere", `${folder.path}/link`);
    using open = calls?.openFolder(folder.path);
    assert(open !== undefined);
    const byName = (a: Deno.DirEntry, b: Deno.DirEntry) => a.name < b.name ? -1 : 1;
    assertEquals(open.entries()?.sort(byName), [...Deno.readDirSync(folder.path)].sort(byName));
    for (const name of [names[7] ?? "", "folder", "link"]) {
      const { atime: _, isBlockDevice: _b, ...rest } = open.look(name) ?? {};
      const { atime: _a, isBlockDevice: _d, ...expected } = Deno.lstatSync(`${folder.path}/${name}`);
      assertEquals<unknown>(rest, expected);
    }
    assertEquals(open.look("missing"), undefined);
  },
});

Deno.test({
  ...onLinux("openFolder opens neither a link to a folder, nor a file, nor a pipe"),
  fn: () => {
    using folder = tempFolder();
    folder.write("d/a", "a");
    Deno.symlinkSync("d", `${folder.path}/link`);
    for (const name of ["link", "d/a", "missing"]) {
      assertEquals(calls?.openFolder(`${folder.path}/${name}`), undefined);
    }
  },
});

Deno.test({
  ...needs("Landlock", "mkfifo")(
    "pipeRoom returns what a pipe accepts without waiting, however it was filled",
  ),
  fn: () => {
    using folder = tempFolder();
    const path = `${folder.path}/pipe`;
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    for (const size of [1, 100, 1_500, 2_049, 2_100, 4_095, 4_096, 4_097, 6_000, 20_000]) {
      const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      let written = 0;
      for (let room = calls?.pipeRoom(writer) ?? 0; room >= size; room = calls?.pipeRoom(writer) ?? 0) {
        assertEquals(writeSync(writer, new Uint8Array(size)), size); // it would throw if it had to wait
        written += size;
        if (written === 3 * size) readSync(reader, new Uint8Array(size + 7)); // like a client that keeps up
        if (written > 100_000) break;
      }
      assert(written >= 20_000, `${written} bytes in pieces of ${size}`);
      closeSync(reader);
      closeSync(writer);
    }
    folder.write("plain", "");
    const plain = openSync(`${folder.path}/plain`, "r");
    assertEquals(calls?.pipeRoom(plain), undefined);
    closeSync(plain);
  },
});

Deno.test({
  ...onLinux("sendNow gives a socket what it takes without waiting, and nothing to anything else"),
  fn: () => {
    const libc = Deno.dlopen(LIBC, {
      socketpair: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
      read: { parameters: ["i32", "buffer", "usize"], result: "i32" },
      close: { parameters: ["i32"], result: "i32" },
    });
    const [AF_UNIX, SOCK_STREAM] = [1, 1];
    const ends = new Int32Array(2);
    assertEquals(libc.symbols.socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const [writer = -1, reader = -1] = ends;
    assertEquals(calls?.sendNow(writer, new Uint8Array(0)), 0);
    const piece = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251);
    let sent = 0;
    for (let n = calls?.sendNow(writer, piece); n !== undefined; n = calls?.sendNow(writer, piece)) sent += n;
    assert(sent > 50_000, `${sent} bytes`); // and then it was full, which did not make us wait
    const received = new Uint8Array(1_000_000);
    let length = 0;
    while (length < sent) {
      const rest = received.subarray(length);
      length += libc.symbols.read(reader, rest, BigInt(rest.length));
    }
    assertEquals(received.subarray(0, piece.length), piece);
    assertEquals(calls?.sendNow(writer, piece), piece.length);
    libc.symbols.close(reader);
    assertEquals(calls?.sendNow(writer, piece), undefined); // and no signal ends the process
    libc.symbols.close(writer);
    libc.close();
    using folder = tempFolder();
    folder.write("plain", "");
    const plain = openSync(`${folder.path}/plain`, "r+");
    assertEquals(calls?.sendNow(plain, piece), undefined);
    closeSync(plain);
    assertEquals(folder.read("plain"), "");
  },
});

Deno.test({
  ...onLinux("an open folder opens its files like the runtime, but no links, and returns their states"),
  fn: () => {
    using folder = tempFolder();
    folder.write("n\u00e4me", "some text");
    Deno.mkdirSync(`${folder.path}/d`);
    Deno.symlinkSync("n\u00e4me", `${folder.path}/link`);
    using open = calls?.openFolder(folder.path);
    using file = open?.open("n\u00e4me");
    assert(open !== undefined && file !== undefined);
    const buffer = new Uint8Array(6);
    assertEquals([file.readAt(buffer, 0), new TextDecoder().decode(buffer)], [6, "some t"]);
    assertEquals([file.readAt(buffer, 6), file.readAt(buffer, 9), file.readAt(buffer, 2 ** 40)], [3, 0, 0]);
    const { dev, ino, size, mtime, ctime } = Deno.lstatSync(`${folder.path}/n\u00e4me`);
    const state = file.state();
    assertEquals(state, open.state("n\u00e4me"));
    const { mtimeMs = 0, ctimeMs = 0, ...rest } = state ?? {};
    assertEquals(rest, { kind: "file", dev, ino: ino ?? 0, size });
    assertEquals([Math.floor(mtimeMs), Math.floor(ctimeMs / 1000)], [
      mtime?.getTime() ?? NaN,
      (ctime?.getTime() ?? NaN) / 1000,
    ]);
    assertEquals(["d", "link"].map((name) => open.state(name)?.kind), ["folder", "link"]);
    for (const name of ["link", "missing", "n".repeat(256), "a\0b"]) {
      assertEquals([open.open(name), open.look(name)?.isFile ?? false], [undefined, false], name);
    }
    using itself = open.open("d");
    assertEquals(itself?.readAt(buffer, 0), undefined);
  },
});

Deno.test({
  ...onLinux("an open folder lists names that are not valid UTF-8 among others, each separately"),
  fn: () => {
    using folder = tempFolder();
    const made = new Deno.Command("sh", {
      args: ["-c", "touch a \"$(printf 'b\\303')\" \"$(printf '\\377\\376')\" c..d ..e"],
      cwd: folder.path,
    }).outputSync();
    assert(made.success);
    using open = calls?.openFolder(folder.path);
    const names = open?.entries()?.map(({ name }) => name).sort();
    assertEquals(names, ["..e", "a", "b\ufffd", "c..d", "\ufffd\ufffd"]);
  },
});

Deno.test({
  ...onLinux("isReal and openFile accept a path without links, and none with one anywhere on the way"),
  fn: () => {
    using folder = tempFolder();
    const top = Deno.realPathSync(folder.path);
    Deno.mkdirSync(`${top}/d`);
    folder.write("d/f", "content");
    Deno.symlinkSync("d", `${top}/link`);
    Deno.symlinkSync("f", `${top}/d/last`);
    const isOpened = (path: string) => {
      using file = calls?.openFile(path);
      return file !== undefined;
    };
    const cases: [string, boolean][] = [
      ["d/f", true],
      ["d", true],
      ["link/f", false],
      ["d/last", false],
      ["d/missing", false],
      ["d/f\0", false],
      ["x".repeat(5_000), false],
    ];
    for (const [path, expected] of cases) {
      assertEquals([path, calls?.isReal(`${top}/${path}`)], [path, expected]);
      assertEquals([path, isOpened(`${top}/${path}`)], [path, expected]);
    }
  },
});

Deno.test({
  ...onLinux("an open file describes itself completely like the runtime, and returns its bytes"),
  fn: () => {
    using folder = tempFolder();
    folder.write("f", "content");
    Deno.chmodSync(`${folder.path}/f`, 0o640);
    using file = calls?.openFile(`${Deno.realPathSync(folder.path)}/f`);
    assertEquals(file?.info(), Deno.lstatSync(`${folder.path}/f`));
    const bytes = new Uint8Array(20);
    assertEquals(file?.readAt(bytes, 3), 4);
    assertEquals(new TextDecoder().decode(bytes.subarray(0, 4)), "tent");
    assertEquals(calls?.stateOf(`${folder.path}/f`), file?.state());
    assertEquals(calls?.stateOf(`${folder.path}/missing`), undefined);
  },
});
