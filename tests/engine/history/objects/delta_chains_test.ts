/** Packs whose deltas refer to themselves, to each other, or to a chain longer than the stack is deep. */
import { assertEquals, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { PaddockError } from "../../../../src/base/errors.ts";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { ObjectStore } from "../../../../src/engine/history/objects/object_store.ts";
import { hashObject } from "../../../../src/engine/history/objects/objects.ts";
import { encodeIndex, packHeader } from "../../../../src/engine/history/objects/pack_writer.ts";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace, type Workspace } from "../workspace.ts";

const PACKS = ".git/objects/pack";
const BLOB = 3;
const OFFSET_DELTA = 6;
const NAME_DELTA = 7;

interface Entry {
  oid: string;
  /** Kind and size, where the base is, and the compressed content. */
  bytes(at: number): Buffer;
}

function head(kind: number, size: number): Buffer {
  if (size < 16) return Buffer.from([kind << 4 | size]);
  return Buffer.from([0x80 | kind << 4 | size % 16, size >> 4]); // up to 2,047 bytes
}

/** How far back an entry's base is, as git writes it. */
function backwards(distance: number): Buffer {
  const bytes = [distance & 0x7f];
  for (let left = distance >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f));
  return Buffer.from(bytes);
}

function whole(data: Buffer): Entry {
  const bytes = Buffer.concat([head(BLOB, data.length), deflateSync(data)]);
  return { oid: hashObject("blob", data), bytes: () => bytes };
}

/** A delta that makes `data`, of eight bytes, out of any eight. */
function replacing(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([8, 8, 8]), data]);
}

function deltaByName(oid: string, base: string, data: Buffer): Entry {
  const delta = replacing(data);
  const bytes = Buffer.concat([head(NAME_DELTA, delta.length), Buffer.from(base, "hex"), deflateSync(delta)]);
  return { oid, bytes: () => bytes };
}

function deltaByOffset(oid: string, baseAt: (at: number) => number, data: Buffer): Entry {
  const delta = replacing(data);
  const rest = deflateSync(delta);
  return {
    oid,
    bytes: (at) => Buffer.concat([head(OFFSET_DELTA, delta.length), backwards(at - baseAt(at)), rest]),
  };
}

function writePack(work: Workspace, entries: readonly Entry[]): void {
  const parts: Buffer[] = [packHeader(entries.length)];
  const placed = [];
  let at = parts[0]?.length ?? 0;
  for (const { oid, bytes } of entries) {
    const part = bytes(at);
    placed.push({ oid, at, crc: crc32(part) });
    parts.push(part);
    at += part.length;
  }
  const checksum = createHash("sha1").update(Buffer.concat(parts)).digest();
  const name = `pack-${checksum.toString("hex")}`;
  const folder = `${work.root.path}/${PACKS}`;
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeFileSync(`${folder}/${name}.pack`, Buffer.concat([...parts, checksum]));
  Deno.writeFileSync(`${folder}/${name}.idx`, encodeIndex(placed, checksum));
}

const eight = (n: number) => Buffer.from(String(n).padStart(8, "0"));
const oidOf = (n: number) => hashObject("blob", eight(n));

for (
  const [what, entries] of [
    ["a delta based on its own name", [deltaByName(oidOf(1), oidOf(1), eight(1))]],
    ["a delta based on its own place", [deltaByOffset(oidOf(1), (at) => at, eight(1))]],
    ["a delta based on what is before the pack", [deltaByOffset(oidOf(1), () => 0, eight(1))]],
    [
      "two deltas based on each other",
      [deltaByName(oidOf(1), oidOf(2), eight(1)), deltaByName(oidOf(2), oidOf(1), eight(2))],
    ],
  ] as [string, Entry[]][]
) {
  Deno.test(`ObjectStore says that an object is damaged for ${what}`, async () => {
    using work = await newWorkspace();
    writePack(work, entries);
    assertDamaged(work, oidOf(1));
  });
}

Deno.test("ObjectStore says that an object is damaged for deltas in two packs based on each other", async () => {
  using work = await newWorkspace();
  writePack(work, [deltaByName(oidOf(1), oidOf(2), eight(1))]);
  writePack(work, [deltaByName(oidOf(2), oidOf(1), eight(2))]);
  assertDamaged(work, oidOf(1));
});

function assertDamaged(work: Workspace, oid: string): void {
  const store = new ObjectStore(new GitFolder(work.root));
  try {
    const error = assertThrows(() => store.read(oid), PaddockError, "is missing or damaged");
    assertEquals(error.code, "INTERNAL");
  } finally {
    store.close();
  }
}

for (const by of ["name", "offset"]) {
  Deno.test(withGit(`ObjectStore reads a chain of 20,000 deltas by ${by}, as git does`), async () => {
    using work = await newWorkspace();
    const length = 20_000;
    const entries = [whole(eight(0))];
    let before = 12; // where the entry before begins
    let now = before + (entries[0]?.bytes(0).length ?? 0);
    for (let n = 1; n <= length; n++) {
      const [base, at] = [before, now];
      const entry = by === "name"
        ? deltaByName(oidOf(n), oidOf(n - 1), eight(n))
        : deltaByOffset(oidOf(n), () => base, eight(n));
      entries.push(entry);
      before = at;
      now = at + entry.bytes(at).length;
    }
    writePack(work, entries);
    const store = new ObjectStore(new GitFolder(work.root));
    assertEquals(store.read(oidOf(length)).data.toString(), String(length).padStart(8, "0"));
    assertEquals(store.read(oidOf(length / 2)).data.toString(), String(length / 2).padStart(8, "0"));
    store.close();
    assertEquals(work.git("cat-file", "blob", oidOf(length)), String(length).padStart(8, "0"));
  });
}
