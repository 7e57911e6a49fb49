/**
 * A registry like JSR on this machine, with the package as `deno publish` would upload it: the files that deno.json
 * includes, with the names of its import map resolved in the code.
 */
import settings from "../../deno.json" with { type: "json" };
import { REPOSITORY } from "./server.ts";
import { hexOf } from "./sha256.ts";

export interface LocalJsr extends AsyncDisposable {
  readonly url: string;
}

export async function localJsr(): Promise<LocalJsr> {
  const files = new Map(publishedFiles().map((path) => [`/${path}`, published(path)]));
  const base = `/${settings.name}`;
  const version = { exports: settings.exports, manifest: await manifestOf(files) };
  const answers = new Map<string, string>([
    [`${base}/meta.json`, JSON.stringify({ latest: settings.version, versions: { [settings.version]: {} } })],
    [`${base}/${settings.version}_meta.json`, JSON.stringify(version)],
    ...[...files].map(([path, text]): [string, string] => [`${base}/${settings.version}${path}`, text]),
  ]);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const text = answers.get(decodeURIComponent(new URL(request.url).pathname));
    if (text === undefined) return new Response("not found", { status: 404 });
    const isCode = request.url.endsWith(".ts");
    return new Response(text, {
      headers: { "content-type": isCode ? "application/typescript" : "application/json" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function publishedFiles(): string[] {
  return settings.publish.include.flatMap((entry) =>
    Deno.statSync(REPOSITORY + entry).isDirectory ? [...filesBelow(entry)] : [entry]
  ).filter((path) => /\.(ts|json)$/.test(path));
}

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(REPOSITORY + folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

/** `from "zod"` becomes `from "npm:zod@4.6.7"`, and so do dynamic imports. */
function published(path: string): string {
  const text = Deno.readTextFileSync(REPOSITORY + path);
  if (!path.endsWith(".ts")) return text;
  const imports: Record<string, string> = settings.imports;
  return text.replace(/((?:from|import)\s*\(?\s*)"([^".#][^"]*)"/g, (whole, before, name) => {
    const target = Object.hasOwn(imports, name) ? imports[name] : undefined;
    return target?.startsWith("npm:") ? `${before}"${target}"` : whole;
  });
}

async function manifestOf(files: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const encoder = new TextEncoder();
  const entries = [...files].map(async ([path, text]) => {
    const bytes = encoder.encode(text);
    return [path, { size: bytes.length, checksum: `sha256-${await hexOf(bytes)}` }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
