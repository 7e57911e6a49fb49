/**
 * Mounts the strange file system on a folder, in a mount namespace that ends with it, and runs a command there:
 *
 *     unshare -rm deno run -A main.ts '{"foldsCase":true}' FOLDER COMMAND…
 */
import { Nodes, Refused } from "./nodes.ts";
import { answer, MAX_WRITE } from "./operations.ts";
import { type Traits } from "./traits.ts";
import { framed, OP, Request } from "./wire.ts";

const libc = Deno.dlopen("libc.so.6", {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  mount: { parameters: ["buffer", "buffer", "buffer", "u64", "buffer"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize", nonblocking: true },
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
});
const encoder = new TextEncoder();
const cString = (text: string) => encoder.encode(`${text}\0`);
const READ_AND_WRITE = 2 | 0o2000000; // closed in what is started from here

function mount(folder: string): number {
  const device = libc.symbols.open(cString("/dev/fuse"), READ_AND_WRITE);
  const data = `fd=${device},rootmode=40755,user_id=0,group_id=0,allow_other,default_permissions`;
  const type = cString("fuse.strange");
  const failed = device < 0 || libc.symbols.mount(type, cString(folder), type, 0n, cString(data)) !== 0;
  if (failed) throw new Error("FUSE cannot be mounted here");
  return device;
}

const EIO = 5;

async function serve(device: number, nodes: Nodes): Promise<void> {
  const buffer = new Uint8Array(MAX_WRITE + 4096);
  for (;;) {
    const length = Number(await libc.symbols.read(device, buffer, BigInt(buffer.length)));
    if (length < 0) continue; // a request that was given up before it was read
    if (length === 0) return;
    const request = new Request(buffer.slice(0, length));
    const result = handled(nodes, request);
    if (result !== undefined) libc.symbols.write(device, result, BigInt(result.length));
    if (request.op === OP.DESTROY) return;
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
  const [traits = "{}", folder = "", command = "", ...args] = Deno.args;
  const nodes = new Nodes(JSON.parse(traits) as Traits);
  const device = mount(folder);
  void serve(device, nodes);
  const inherit = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;
  const { code } = await new Deno.Command(command, { args, ...inherit }).spawn().status;
  Deno.exit(code);
}
