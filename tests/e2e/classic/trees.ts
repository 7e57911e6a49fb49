/** Two equal trees, one for each server, in separate folders; and answers about them, made comparable. */
import type { Message } from "../../support/server.ts";

export const LATIN1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a); // "café" with one byte per letter
export const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const LONG = Array.from({ length: 3_000 }, (_, i) => `line ${i + 1} of many, with some text behind it`).join(
  "\n",
);

const FILES: Record<string, string | Uint8Array> = {
  "a.txt": "one\ntwo\nthree\n",
  "no_newline.txt": "first\nlast",
  "empty.txt": "",
  "blank.txt": "\n\n\n",
  "unicode.txt": "grüße 😀\nzweite\n",
  "bom.txt": "\ufeffwith a mark\n",
  "long.txt": LONG,
  "code.ts": "function a() {\n    if (x) {\n        return 1;\n    }\n}\n\nfunction b() {\n\treturn 2;\n}\n",
  "ticks.md": "```js\nlet a;\n```\n````\n",
  "data.bin": Uint8Array.of(0, 1, 2, 3),
  "pic.png": PNG,
  "PIC.JPG": PNG,
  "song.mp3": "ID3",
  "draw.svg": "<svg/>",
  "odd name #1?.dat": "odd",
  ".hidden": "hidden\n",
  "sub/inner.txt": "inner\n",
  "sub/deep/er/leaf.ts": "leaf\n",
  "sub/deep/other.md": "other\n",
  "node_modules/pkg/index.js": "module\n",
  "src/main.ts": "main\n",
  "src/main_test.ts": "test\n",
  "src/.env": "KEY=1\n",
  "big.bin": new Uint8Array(123_456),
};

/** All times are set to the same value, so that they can be compared. */
const TIME = 1_700_000_000;

/** Returns the directory that is served. */
export function makeTree(folder: string): string {
  const root = `${folder}/tree`;
  Deno.mkdirSync(`${root}/empty_dir`, { recursive: true });
  for (const [name, content] of Object.entries(FILES)) {
    const path = `${root}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    Deno.chmodSync(path, name === "code.ts" ? 0o755 : 0o644);
    Deno.utimeSync(path, TIME, TIME);
  }
  Deno.writeTextFileSync(`${root}/na\u00efve.txt`.normalize("NFD"), "spelled with two code points\n");
  Deno.symlinkSync("a.txt", `${root}/link.txt`);
  Deno.symlinkSync("sub", `${root}/link_dir`);
  Deno.mkdirSync(`${folder}/outside`);
  Deno.writeTextFileSync(`${folder}/outside/secret.txt`, "secret\n");
  return root;
}

/** The part of an answer that has to be the same, without the folder of the tree. */
export function comparable({ result, error }: Message, folder: string): unknown {
  const told = error === undefined
    ? {
      content: result.content,
      structuredContent: result.structuredContent,
      isError: result.isError ?? false,
    }
    : { error };
  return JSON.parse(JSON.stringify(told).replaceAll(folder, "/FOLDER").replace(TIMES, "$1: TIME"));
}

/** The two trees were created at different moments, and reading them changes their access times. */
const TIMES = /(created|accessed): [A-Z][a-z]{2} [^\\"]*/g;

/** Everything in a tree: contents, modes and where links lead. */
export function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (folder: string, below: string) => {
    for (const { name, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      const key = below + name;
      const mode = ((Deno.lstatSync(path).mode ?? 0) & 0o777).toString(8);
      if (isSymlink) found[key] = `-> ${Deno.readLinkSync(path)}`;
      else if (isDirectory) {
        found[`${key}/`] = mode;
        look(path, `${key}/`);
      } else found[key] = `${mode} ${Deno.readFileSync(path).toBase64()}`;
    }
  };
  look(root, "");
  return found;
}
