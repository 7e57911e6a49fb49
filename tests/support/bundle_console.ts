/**
 * Bundles the console's page: `deno task console:bundle` writes src/console/page.ts from the folder console, and a
 * test checks that this was done. The bundler is not part of the program.
 */
import { build, type Plugin, stop } from "../packages/esbuild.ts";
import "../packages/preact.ts";

const SOURCES = new URL("../../console/", import.meta.url);
const TARGET = new URL("../../src/console/page.ts", import.meta.url);

/** What is served below /console, by its path there. */
export type ConsolePage = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

/** Bare names as in console/deno.json, found in Deno's cache. */
function importMap(): Plugin {
  const { imports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", SOURCES)));
  return {
    name: "import map",
    setup({ onResolve }) {
      onResolve({ filter: /^preact/ }, ({ path }) => {
        const found = imports[path];
        if (found === undefined) throw new Error(`console/deno.json does not have ${path}`);
        return { path: pathOf(new URL(import.meta.resolve(found))), sideEffects: false };
      });
    },
  };
}

/** Without the slash before the drive in a URL. */
function pathOf({ pathname }: URL): string {
  return decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/i, "");
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [pathOf(new URL(entry, SOURCES))],
    bundle: true,
    write: false,
    minify: true,
    legalComments: "none",
    charset: "ascii", // the running code should be readable
    format: "esm",
    target: ["es2023", "chrome123", "firefox121", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [importMap()],
    logLevel: "error",
  });
  const [output] = outputFiles ?? [];
  if (output === undefined) throw new Error(`${entry}: the bundler gave nothing`);
  return output.text.trimEnd();
}

/** The bundle of the folder console. */
export async function bundleConsole(): Promise<ConsolePage> {
  try {
    const [script, style] = await Promise.all([bundle("main.tsx"), bundle("style/page.css")]);
    const notice = "/* With Preact: MIT licence, (c) 2015-present Jason Miller. */";
    return {
      "": { type: "text/html; charset=utf-8", body: read("page.html") },
      "page.js": { type: "text/javascript; charset=utf-8", body: `${notice}\n${script}` },
      "page.css": { type: "text/css; charset=utf-8", body: style },
      "icon.svg": { type: "image/svg+xml", body: read("icon.svg") },
    };
  } finally {
    await stop();
  }
}

function read(name: string): string {
  return Deno.readTextFileSync(new URL(name, SOURCES));
}

/** The module that contains them as strings. */
export function asModule(page: ConsolePage): string {
  const lines = Object.entries(page).map(([path, file]) =>
    `  ${JSON.stringify(path)}: ${JSON.stringify(file)},\n`
  );
  return `// deno-fmt-ignore-file
/** What is served below /console, by its path there, written by \`deno task console:bundle\`; do not edit it. */
export const PAGE: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
${lines.join("")}};
`;
}

if (import.meta.main) {
  const page = await bundleConsole();
  Deno.mkdirSync(new URL("./", TARGET), { recursive: true });
  Deno.writeTextFileSync(TARGET, asModule(page));
  for (const [path, { body }] of Object.entries(page)) {
    console.log(`/console/${path} ${(new TextEncoder().encode(body).length / 1000).toFixed(1)} KB`);
  }
}
