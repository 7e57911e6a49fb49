// The project for the ten jobs: small modules, a long one, a log, files with other line endings.

import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";

const MODULES = 40;
/** The modules that call the function to be renamed, each of them twice. */
const CALLERS = [3, 11, 19, 27, 35];
const LONG_LINES = 2_000;
const LOG_LINES = 60_000;
/** Near the end of the log. */
const ERROR_LINE = 600;

export const LOG_ERROR = "ERROR payment 8841 failed: card expired";

/** Writes all of it; identical every time. */
export function makeProject(dir: string): void {
  for (const [path, text] of files()) {
    const file = join(dir, path);
    Deno.mkdirSync(dirname(file), { recursive: true });
    Deno.writeTextFileSync(file, text);
  }
}

function* files(): Generator<[path: string, text: string]> {
  yield ["README.md", `# shop\n\nA small shop.\n\n${"It sells things, and counts them.\n".repeat(20)}`];
  yield [".gitignore", "node_modules\n"];
  yield ["package.json", '{ "name": "shop", "version": "1.4.0" }\n'];
  for (let i = 0; i < 30; i++) yield [`node_modules/dep-${i}/index.js`, "module.exports = {};\n"];
  for (let i = 0; i < MODULES; i++) {
    yield [`src/${["cart", "items", "users", "orders"][i % 4]}/module-${i}.ts`, moduleText(i)];
  }
  for (let i = 0; i < 20; i++) yield [`tests/module-${i}_test.ts`, `Deno.test("module ${i}", () => {});\n`];
  yield [
    "src/config.ts",
    "export function parseConfig(text: string): Config {\n\treturn JSON.parse(text);\n}\n",
  ];
  yield ["src/config_defaults.ts", 'export const DEFAULTS = { port: 8080, host: "localhost" };\n'];
  yield ["src/long.ts", longText()];
  yield ["conf/server.ini", "[server]\r\nport = 8080\r\nhost = localhost\r\n"];
  yield ["conf/pools.ini", "[read]\nsize = 10\ntimeout = 30\n\n[write]\nsize = 10\ntimeout = 30\n"];
  yield ["conf/flags.txt", Array.from({ length: 10 }, (_, i) => `flag ${i} off\n`).join("")];
  yield [
    "CHANGELOG.md",
    `# Changes\n\n${"- Something was made better, and is told here at some length.\n".repeat(400)}`,
  ];
  yield ["logs/app.log", logText()];
}

function moduleText(i: number): string {
  const calls = CALLERS.includes(i)
    ? "\tconst first = computeTotal(items);\n\tif (first > 0) return computeTotal(items.slice(1));\n"
    : "";
  const definition = i === 0
    ? "export function computeTotal(items: number[]): number {\n\treturn items.length;\n}\n\n"
    : "";
  const body = Array.from({ length: 30 }, (_, line) => `\tvalue += ${line} * weight${i};\n`).join("");
  return `${definition}export function module${i}(items: number[], weight${i}: number): number {\n\tlet value = 0;\n${calls}${body}\treturn value;\n}\n`;
}

function longText(): string {
  return Array.from({ length: LONG_LINES }, (_, i) => `export const constant${i + 1} = ${i * 7};\n`).join("");
}

function logText(): string {
  return Array.from({ length: LOG_LINES }, (_, i) => {
    const time = new Date(1_700_000_000_000 + i * 1_000).toISOString();
    return `${time} ${
      i === LOG_LINES - ERROR_LINE ? LOG_ERROR : `INFO request ${i} served in ${i % 90} ms`
    }\n`;
  }).join("");
}
