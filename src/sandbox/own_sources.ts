/**
 * The program's own source files, if it is run from them. With `--unstable-lazy-dynamic-imports` Deno reads at
 * the start only what it needs first, and wants permission for what it loads later. They are no secret: the
 * kernel fence lets them be read too.
 */
import { pathOf } from "../base/program.ts";

const OWN = "/src/sandbox/own_sources.ts";

/** Undefined in a bundle, in an executable and from a registry. */
export function ownSources(here: string = import.meta.url): string | undefined {
  if (!here.startsWith("file:") || !here.endsWith(OWN)) return undefined;
  return pathOf(new URL("..", here).href, Deno.build.os).replace(/[\\/]$/, "");
}

/** Permissions with reading the program's own sources added. */
export function withOwnSources(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  const sources = ownSources();
  if (sources === undefined) return permissions;
  const { read } = permissions;
  return { ...permissions, read: Array.isArray(read) ? [...read, sources] : [sources] };
}
