/** A registry like npm's on this machine, with the packages of dist/npm; npm finds it through `npmEnv`. */
import { createHash } from "node:crypto";
import { mainPackage, type PackageJson, platformPackage } from "../../build/npm/packages.ts";
import { TARGETS } from "../../build/targets.ts";

export interface LocalNpm extends AsyncDisposable {
  readonly url: string;
}

/** Those of other systems can be looked up, but not downloaded. */
export function localNpm(folder: string): LocalNpm {
  const packages = [mainPackage(), ...TARGETS.map(platformPackage)];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { origin, pathname } = new URL(request.url);
    const path = decodeURIComponent(pathname).slice(1);
    const asked = packages.find(({ name }) => name === path);
    if (asked !== undefined) return Response.json(packument(asked, { folder, origin }));
    const tarball = await Deno.readFile(`${folder}/${path}`).catch(() => undefined);
    return tarball === undefined ? new Response("{}", { status: 404 }) : new Response(tarball);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

export function tarballOf({ name, version }: PackageJson): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** npm's environment: this registry, a separate cache and prefix, and nothing of this user's. */
export function npmEnv({ url }: LocalNpm, place: string): Record<string, string> {
  return {
    HOME: place,
    npm_config_registry: url,
    npm_config_cache: `${place}/cache`,
    npm_config_prefix: `${place}/prefix`,
    npm_config_userconfig: `${place}/npmrc`,
    npm_config_ignore_scripts: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}

function packument(json: PackageJson, { folder, origin }: { folder: string; origin: string }) {
  const file = tarballOf(json);
  const dist = { tarball: `${origin}/${file}`, ...integrityOf(`${folder}/${file}`) };
  const { name, version } = json;
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...json, dist } } };
}

function integrityOf(path: string): { integrity?: string } {
  try {
    const digest = createHash("sha512").update(Deno.readFileSync(path)).digest("base64");
    return { integrity: `sha512-${digest}` };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return {}; // of another system
  }
}
