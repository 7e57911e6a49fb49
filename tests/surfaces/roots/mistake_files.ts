/** The files that models make mistakes with. */

const APP = `import { read } from "./read.ts";

export function total(items: readonly Item[]): number {
\tlet sum = 0;
\tfor (const item of items) {
\t\tsum += item.price * item.count;
\t}
\treturn sum;
}

export function average(items: readonly Item[]): number {
\treturn total(items) / items.length;
}

const message = 'It\u2019s done';
const other  = "Nothing to do";
`;
const PY =
  "def add(a, b):\n    if a:\n        return a + b\n    return b\n\n\ndef sub(a, b):\n    return a - b\n";
const CRLF = "[server]\r\nport = 80\r\nhost = a\r\n\r\n[client]\r\nport = 80\r\n";
const FENCED = "# Use\n\n```sh\nnpm  install\n```\n";
export const FILES: Record<string, string> = {
  "src/app.ts": APP,
  "src/add.py": PY,
  "conf/server.ini": CRLF,
  "README.md": FENCED,
  "empty.txt": "",
};
