import { nativePath } from "./engine.ts";

/** A file that its user may only read, or not even that, even if the tests run as root. */
export function denyOpen(path: string, { readable }: { readable: boolean }): Disposable {
  const open = Deno.openSync;
  const denied = nativePath(path);
  Deno.openSync = (at, options) => {
    if (nativePath(String(at)) !== denied || (readable && !options?.write)) return open(at, options);
    throw Object.assign(new Deno.errors.PermissionDenied("Permission denied"), { code: "EACCES" });
  };
  return {
    [Symbol.dispose]() {
      Deno.openSync = open;
    },
  };
}
