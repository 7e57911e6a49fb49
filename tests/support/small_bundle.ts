/** The program bundled as in an executable, with what engines other than V8 may lack taken away in each of its threads. */
import { bundle } from "../../build/bundle.ts";
import { REPOSITORY } from "./server.ts";

/** Takes it away; also for `--preload`. */
export const SMALL_ENGINE = `${REPOSITORY}tests/support/small_engine.js`;

const TELL =
  `console.error("WebAssembly: " + typeof WebAssembly + " in " + import.meta.url.split("/").at(-1));`;

/** Into an empty folder; returns the path of its main.js. With `tells` each thread says what it has. */
export async function smallBundle(folder: string, { tells = false } = {}): Promise<string> {
  const workers = await bundle(REPOSITORY, { folder });
  Deno.copyFileSync(SMALL_ENGINE, `${folder}/small_engine.js`);
  for (const entry of ["main.js", ...workers]) {
    const path = `${folder}/${entry}`;
    const up = "../".repeat(entry.split("/").length - 1) || "./";
    const first = `import "${up}small_engine.js";\n`; // modules run in the order in which they are imported
    Deno.writeTextFileSync(path, first + (tells ? `${TELL}\n` : "") + Deno.readTextFileSync(path));
  }
  return `${folder}/main.js`;
}
