/**
 * Mounts strange file systems on folders, in a mount namespace that ends with this process, prints a line about it,
 * and serves them until standard input ends:
 *
 *     unshare -rm deno run -A main.ts '{"/FOLDER":{"foldsCase":true}}'
 */
import { Nodes, Refused } from "./nodes.ts";
import { answer, MAX_WRITE } from "./operations.ts";
import { MOUNTED } from "./mount.ts";
import type { Traits } from "./traits.ts";
import { framed, Request } from "./wire.ts";

const libc = Deno.dlopen("libc.so.6", {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  mount: { parameters: ["buffer", "buffer", "buffer", "u64", "buffer"], result: "i32" },
  poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
});
const { symbols } = libc;
const encoder = new TextEncoder();
const cString = (text: string) => encoder.encode(`${text}\0`);
const READ_AND_WRITE = 2 | 0o4000 | 0o2000000; // without waiting, and closed in child processes
const READABLE = 1;
const EIO = 5;
const STDIN = 0;

function mount(folder: string): number {
  const device = symbols.open(cString("/dev/fuse"), READ_AND_WRITE);
  const data = `fd=${device},rootmode=40755,user_id=0,group_id=0,allow_other,default_permissions`;
  const type = cString("fuse.strange");
  const failed = device < 0 || symbols.mount(type, cString(folder), type, 0n, cString(data)) !== 0;
  if (failed) throw new Error("FUSE cannot be mounted here");
  return device;
}

/** Serves all of them until standard input ends. Nothing here is asynchronous: there are too many requests for that. */
function serve(systems: ReadonlyMap<number, Nodes>): void {
  const waiting = new DataView(new ArrayBuffer(8 * (systems.size + 1)));
  for (const [i, descriptor] of [STDIN, ...systems.keys()].entries()) {
    waiting.setInt32(8 * i, descriptor, true);
    waiting.setInt16(8 * i + 4, READABLE, true);
  }
  const buffer = new Uint8Array(MAX_WRITE + 4096);
  for (;;) {
    symbols.poll(waiting.buffer, BigInt(systems.size + 1), -1);
    if (waiting.getInt16(6, true) !== 0) return;
    for (const [device, nodes] of systems) serveWaiting(device, nodes, buffer);
  }
}

function serveWaiting(device: number, nodes: Nodes, buffer: Uint8Array<ArrayBuffer>): void {
  for (;;) {
    const length = Number(symbols.read(device, buffer, BigInt(buffer.length)));
    if (length <= 0) return;
    const request = new Request(buffer.slice(0, length));
    const result = handled(nodes, request);
    if (result !== undefined) symbols.write(device, result, BigInt(result.length));
  }
}

function handled(nodes: Nodes, request: Request): Uint8Array<ArrayBuffer> | undefined {
  try {
    const body = answer(nodes, request);
    return body === undefined ? undefined : framed(request.unique, 0, body);
  } catch (error) {
    if (!(error instanceof Refused)) console.error(`strange file system, request ${request.op}:`, error);
    return framed(request.unique, error instanceof Refused ? error.errno : EIO, new Uint8Array());
  }
}

if (import.meta.main) {
  const wanted = JSON.parse(Deno.args[0] ?? "{}") as Record<string, Traits>;
  const systems = new Map(
    Object.entries(wanted).map(([folder, traits]) => [mount(folder), new Nodes(traits)]),
  );
  console.log(MOUNTED);
  serve(systems);
  Deno.exit(0);
}
