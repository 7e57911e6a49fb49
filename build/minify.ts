/**
 * Minifies the files of a bundle in place: `deno run build/minify.ts FOLDER`. The esbuild in `deno bundle --minify`
 * of Deno 2.9 inlines `using` declarations that are read only once, and so never disposes of what they hold: files
 * stayed open and locked (evanw/esbuild#4482). This esbuild is newer and leaves the syntax alone, and the
 * declarations are counted to make sure.
 */
import { stop, transform } from "../tests/packages/esbuild.ts";

const [folder = ""] = Deno.args;
await minifyAll(folder);
await stop();

async function minifyAll(folder: string): Promise<void> {
  for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) await minifyAll(`${folder}/${name}`);
    else if (isFile && name.endsWith(".js")) await minify(`${folder}/${name}`);
  }
}

async function minify(path: string): Promise<void> {
  const source = Deno.readTextFileSync(path);
  const shorter = { minifyWhitespace: true, minifyIdentifiers: true }; // the syntax stays as it was written
  const { code } = await transform(source, { ...shorter, format: "esm", target: "esnext" });
  const [before, after] = [countUsing(source), countUsing(code)];
  if (before !== after) {
    throw new Error(`${path} has ${before} using declarations, and ${after} when minified`);
  }
  Deno.writeTextFileSync(path, code);
}

function countUsing(code: string): number {
  return [...code.matchAll(/(?:^|[\s;{}()])using [\w$]+ ?= ?/g)].length;
}
