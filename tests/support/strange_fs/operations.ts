/**
 * What each message of the kernel means to the strange file system. The kernel may cache a file's attributes, because
 * every change goes through it, and the entry under a name if a file has no other spelling of it.
 */
import { FILE, FOLDER, LINK, type Node, type Nodes, Refused } from "./nodes.ts";
import { Answer, OP, type Request } from "./wire.ts";

const encoder = new TextEncoder();
const EMPTY = new Uint8Array();
const DIRECT_IO = 1; // every read and write arrives here, with the handle it is made through
const FLOCK_LOCKS = 1 << 10;
const BIG_WRITES = 1 << 5;
export const MAX_WRITE = 128 * 1024;
const UNLOCK = 2;
const SET = { MODE: 1, UID: 2, GID: 4, SIZE: 8, MTIME: 32, MTIME_NOW: 256 } as const;
const EVERYTHING = 0xfff; // what statx reports, including the birth time
const SECOND = 1_000_000_000n;
/** How long something may be cached, in seconds. */
const LONG = 60;

/** Undefined if the kernel expects no answer. */
export function answer(nodes: Nodes, request: Request): Uint8Array | undefined {
  const node = () => nodes.at(request.node);
  switch (request.op) {
    case OP.INIT:
      return new Answer().u32(7, 31, 0, FLOCK_LOCKS | BIG_WRITES).u16(16).u16(12)
        .u32(MAX_WRITE, 1).u16(0).u16(0).u32(0, 0, 0, 0, 0, 0, 0, 0).bytes;
    case OP.FORGET:
    case OP.BATCH_FORGET:
    case OP.INTERRUPT:
      return undefined;
    case OP.LOOKUP:
      return entry(nodes, nodes.lookUp(node(), request.text()));
    case OP.GETATTR:
      return attributes(new Answer().u64(LONG).u32(0, 0), nodes, node()).bytes;
    case OP.STATX:
      return statx(nodes, node());
    case OP.SETATTR:
      return setAttributes(nodes, node(), request);
    case OP.READLINK:
      return node().read(0, node().size);
    case OP.SYMLINK: {
      const [name, target] = [request.text(), request.text()];
      const link = owned(nodes.create(node(), name, LINK | 0o777), request);
      link.write(0, encoder.encode(target));
      return entry(nodes, link);
    }
    case OP.MKDIR: {
      const mode = request.u32();
      request.u32();
      return entry(nodes, owned(nodes.create(node(), request.text(), FOLDER | (mode & 0o7777)), request));
    }
    case OP.CREATE: {
      request.u32();
      const mode = request.u32();
      request.skip(8);
      const file = owned(nodes.create(node(), request.text(), FILE | (mode & 0o7777)), request);
      return joined(entry(nodes, file), opened(nodes.open(file)));
    }
    case OP.UNLINK:
    case OP.RMDIR:
      nodes.remove(node(), request.text(), request.op === OP.UNLINK ? "file" : "folder");
      return EMPTY;
    case OP.RENAME:
    case OP.RENAME2: {
      const folder = nodes.at(request.number());
      if (request.op === OP.RENAME2 && request.u64() !== 0n) throw new Refused("EINVAL"); // exchange is not supported here
      const name = request.text();
      nodes.rename({ folder: node(), name }, { folder, name: request.text() });
      return EMPTY;
    }
    case OP.LINK: {
      const target = nodes.at(request.number());
      nodes.link(target, node(), request.text());
      return entry(nodes, target);
    }
    case OP.OPEN:
    case OP.OPENDIR:
      return opened(nodes.open(node()));
    case OP.RELEASE:
    case OP.RELEASEDIR:
      nodes.close(request.number());
      return EMPTY;
    case OP.READ: {
      const [handle, offset] = [request.number(), request.number()];
      return nodes.forContent(handle).read(offset, request.u32());
    }
    case OP.WRITE: {
      const [handle, offset, size] = [request.number(), request.number(), request.u32()];
      request.skip(20);
      nodes.forContent(handle).write(offset, request.bytes(size));
      return new Answer().u32(size, 0).bytes;
    }
    case OP.READDIR: {
      request.number();
      return listing(nodes, node(), { from: request.number(), room: request.u32() });
    }
    case OP.FSYNC:
    case OP.FSYNCDIR:
      nodes.sync();
      return EMPTY;
    case OP.FLUSH:
    case OP.DESTROY:
      return EMPTY;
    case OP.SETLK:
    case OP.SETLKW: {
      const handle = request.number();
      request.skip(24);
      nodes.lock(handle, request.u32() === UNLOCK ? "unlock" : "lock");
      return EMPTY;
    }
    case OP.STATFS:
      return new Answer().u64(1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20)
        .u32(4096, 255, 4096, 0, 0, 0, 0, 0, 0, 0).bytes;
    default:
      throw new Refused("ENOSYS");
  }
}

function owned(node: Node, { uid, gid }: Request): Node {
  [node.uid, node.gid] = [uid, gid];
  return node;
}

function opened(handle: number): Uint8Array {
  return new Answer().u64(handle).u32(DIRECT_IO, 0).bytes;
}

function entry(nodes: Nodes, node: Node): Uint8Array {
  const name = nodes.traits.foldsCase ? 0 : LONG;
  return attributes(new Answer().u64(node.id, 0, name, LONG).u32(0, 0), nodes, node).bytes;
}

function attributes(answer: Answer, nodes: Nodes, node: Node): Answer {
  const { size, mtime, ctime, mode, nlink, uid, gid } = node;
  const [m, c] = [split(mtime), split(ctime)];
  return answer.u64(nodes.inode(node), size, Math.ceil(size / 512), m.seconds, m.seconds, c.seconds)
    .u32(m.rest, m.rest, c.rest, mode, nlink, uid, gid, 0, 4096, 0);
}

function statx(nodes: Nodes, node: Node): Uint8Array {
  const { size, mtime, ctime, born, mode, nlink, uid, gid } = node;
  const result = new Answer().u64(0).u32(0, 0).u64(0, 0).u32(EVERYTHING, 4096).u64(0).u32(nlink, uid, gid)
    .u16(mode).u16(0).u64(nodes.inode(node), size, Math.ceil(size / 512), 0);
  for (const time of [mtime, born, ctime, mtime]) {
    const { seconds, rest } = split(time);
    result.u64(seconds).u32(rest, 0);
  }
  return result.u32(0, 0, 0, 0).u64(...Array<number>(14).fill(0)).bytes;
}

function split(time: bigint): { seconds: bigint; rest: number } {
  return { seconds: time / SECOND, rest: Number(time % SECOND) };
}

function setAttributes(nodes: Nodes, node: Node, request: Request): Uint8Array {
  const valid = request.u32();
  request.skip(12);
  const size = request.number();
  request.skip(16);
  const mtime = request.u64();
  request.skip(12);
  const mtimeRest = request.u32();
  request.skip(4);
  const mode = request.u32();
  request.skip(4);
  const [uid, gid] = [request.u32(), request.u32()];
  if (valid & SET.SIZE) node.resize(size);
  if (valid & SET.MODE) node.mode = (node.mode & ~0o7777) | (mode & 0o7777);
  if (valid & SET.UID) node.uid = uid;
  if (valid & SET.GID) node.gid = gid;
  if (valid & SET.MTIME_NOW) node.touch();
  else if (valid & SET.MTIME) node.mtime = mtime * SECOND + BigInt(mtimeRest);
  return attributes(new Answer().u64(LONG).u32(0, 0), nodes, node).bytes;
}

function listing(nodes: Nodes, folder: Node, { from, room }: { from: number; room: number }): Uint8Array {
  const parts: Uint8Array[] = [];
  const all = [...folder.entries.values()];
  for (let left = room, i = from; i < all.length; i++) {
    const found = all[i];
    if (found === undefined) break;
    const name = encoder.encode(found.name);
    const padded = new Uint8Array(Math.ceil(name.length / 8) * 8);
    padded.set(name);
    const head =
      new Answer().u64(nodes.inode(found.node), i + 1).u32(name.length, found.node.mode >> 12).bytes;
    left -= head.length + padded.length;
    if (left < 0) break;
    parts.push(head, padded);
  }
  return joined(...parts);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
