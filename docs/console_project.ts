/** A small shop that three agents work on, for pictures of the console. */
import { runToEnd, TestServer } from "../tests/support/server.ts";
import type { TempFolder } from "../tests/support/temp.ts";

export interface Project {
  /** The roots, for `paddock console` or a server. */
  readonly roots: string[];
  readonly workspaces: string;
  /** Ids of changes. */
  readonly edited: string;
  readonly image: string;
  readonly conflicting: string;
  /** A commit in the workspace. */
  readonly commit: string;
}

const CART = `import { type Item, priceOf } from "./item.ts";

export class Cart {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push(item);
  }

  /** In cents. */
  total(): number {
    let sum = 0;
    for (const item of this.#items) sum += priceOf(item);
    return sum;
  }
}
`;

const ITEM = `export interface Item {
  readonly name: string;
  readonly cents: number;
}

export function priceOf(item: Item): number {
  return item.cents;
}
`;

const CART_WITH_QUANTITIES = `import { type Item, priceOf } from "./item.ts";
import { type Voucher, reductionBy } from "./voucher.ts";

export class Cart {
  readonly #items = new Map<Item, number>();
  readonly #vouchers: Voucher[] = [];

  add(item: Item, quantity = 1): void {
    this.#items.set(item, (this.#items.get(item) ?? 0) + quantity);
  }

  /** In cents. */
  total(): number {
    let sum = 0;
    for (const [item, quantity] of this.#items) sum += priceOf(item) * quantity;
    return this.#vouchers.reduce((left, voucher) => left - reductionBy(voucher, left), sum);
  }
}
`;

/** A picture of 96 by 64 pixels, a gradient, as a hand-made PNG. */
async function gradient(): Promise<Uint8Array> {
  const [width, height] = [96, 64];
  const rows = new Uint8Array((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows.set([x * 2, y * 3, 200 - x], y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const packed = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate")));
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(await packed.arrayBuffer())),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...chunks.flatMap((part) => [...part])]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (const byte of bytes.subarray(4, data.length + 8)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  view.setUint32(data.length + 8, ~crc >>> 0);
  return bytes;
}

export async function makeProject(base: TempFolder): Promise<Project> {
  const args = [`${base.path}/shop`, `${base.path}/handbook`, `--undo-dir=${base.path}/undo`];
  base.write("shop/src/cart.ts", CART);
  base.write("shop/src/item.ts", ITEM);
  base.write("shop/README.md", "# Shop\n\nA small shop.\n");
  base.write("shop/package.json", '{\n  "name": "shop",\n  "version": "1.2.0"\n}\n');
  base.write("shop/assets/banner.png", await gradient());
  base.write("handbook/deploy.md", "# Deploy\n\nRun `make deploy`.\n");
  await using claude = await agent("claude-code", args);
  await using cursor = await agent("cursor", args);
  await using codex = await agent("codex", args);
  const shop = { root: "shop" };
  const write = (who: TestServer, path: string, content: string, root = "shop") =>
    change(who, "write_file", { root, path, content });

  await write(codex, "deploy.md", "# Deploy\n\nRun `make deploy`, then watch the dashboard.\n", "handbook");
  await write(codex, "on_call.md", "# On call\n\nWho is on call is in the calendar.\n", "handbook");
  await write(codex, "src/currency.ts", "export const CURRENCY = 'EUR';\n");
  const conflicting = await write(cursor, "README.md", "# Shop\n\nA small shop with a cart.\n");
  await change(cursor, "create_folder", { ...shop, path: "tests" });
  await write(cursor, "tests/cart_test.ts", 'Deno.test("a cart is empty at first", () => {});\n');
  await change(cursor, "move", {
    source_root: "shop",
    source_path: "src/currency.ts",
    dest_root: "shop",
    dest_path: "src/money.ts",
  });
  await write(claude, "src/voucher.ts", "export interface Voucher {\n  readonly percent: number;\n}\n");
  await write(claude, "README.md", "# Shop\n\nA small shop, with a cart and vouchers.\n");
  const image = await change(claude, "copy", {
    source_root: "shop",
    source_path: "assets/banner.png",
    dest_root: "shop",
    dest_path: "assets/header.png",
  });
  await write(
    claude,
    "src/item.ts",
    ITEM.replace("readonly cents: number;", "readonly cents: number;\n  readonly sku: string;"),
  );
  const slip = await change(claude, "remove_file", { ...shop, path: "package.json" });
  const { code, stderr } = await runToEnd(["undo", `${base.path}/shop`, slip, "--yes", args[2] ?? ""]);
  if (code !== 0) throw new Error(stderr);
  const workspaces = `--workspaces-root=${base.path}/spaces`;
  const commit = await writeLetter(base, workspaces);
  const edited = await write(claude, "src/cart.ts", CART_WITH_QUANTITIES);
  await write(claude, "tests/cart_test.ts", 'Deno.test("a cart adds up", () => {});\n');
  return { roots: args, workspaces, edited, image, conflicting, commit };
}

/** A workspace with a few commits; returns one of them. */
async function writeLetter(base: TempFolder, workspaces: string): Promise<string> {
  Deno.mkdirSync(`${base.path}/spaces`);
  await using gemini = await agent("gemini", ["--transport=stdio", workspaces]);
  for (const name of ["newsletter", "landing-page"]) await gemini.call("workspace_create", { name });
  const write = async (path: string, content: string): Promise<string> =>
    (await gemini.call("fs_write_file", { workspaceId: "newsletter", path, content })).value.commit;
  await write("june.md", "# June\n\nThe shop is open on Saturdays.\n");
  await write("readers.csv", "name,since\nAda,2024\n");
  const commit = await write("june.md", "# June\n\nThe shop is open on Saturdays and Sundays.\n");
  await write("july.md", "# July\n\nVouchers are here.\n");
  return commit;
}

async function agent(name: string, args: string[]): Promise<TestServer> {
  const server = new TestServer(args);
  await server.initialize(undefined, name);
  return server;
}

async function change(server: TestServer, tool: string, args: Record<string, unknown>): Promise<string> {
  const { isError, text, value } = await server.call(tool, args);
  if (isError) throw new Error(`${tool}: ${text}`);
  return value.change;
}
