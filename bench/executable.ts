// The executable made by `deno task compile`, if there is one.

export const DIST = new URL("../dist/", import.meta.url);

export interface SizedFile {
  readonly path: string;
  readonly size: number;
}

export const executable = sizeOf(Deno.build.os === "windows" ? "paddock.exe" : "paddock");

/** The size of a file in dist/. */
export function sizeOf(name: string): SizedFile | undefined {
  const url = new URL(name, DIST);
  try {
    return { path: decodeURIComponent(url.pathname), size: Deno.statSync(url).size };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
