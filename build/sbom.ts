/**
 * What the executables consist of, as a CycloneDX bill of materials on standard output: the npm packages that
 * the program reaches, and Deno.
 *
 *     deno run -A build/sbom.ts > paddock.cdx.json
 */
import { findEntries } from "./bundle.ts";
import { runDeno } from "./run_deno.ts";

interface Component {
  type: string;
  name: string;
  version: string;
  purl: string;
}

/** The output of `deno info --json`. */
interface ModuleInfo {
  modules: { npmPackage?: string }[];
  npmPackages: Record<string, { name: string; version: string; dependencies: string[] }>;
}

/** The packages that the modules reach, each once. */
export function componentsOf({ modules, npmPackages }: ModuleInfo): Component[] {
  const found = new Map<string, Component>();
  const todo = modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  const seen = new Set<string>();
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    const reached = npmPackages[id];
    if (reached === undefined || seen.has(id)) continue;
    seen.add(id);
    todo.push(...reached.dependencies);
    const { name, version } = reached;
    const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
    found.set(purl, { type: "library", name, version, purl });
  }
  return [...found.values()].sort((a, b) => a.purl < b.purl ? -1 : 1);
}

async function moduleInfo(repository: string): Promise<ModuleInfo> {
  const entries = ["main.ts", ...findEntries(repository).map(({ path }) => `${path}.ts`)];
  const page = ["--config=console/deno.json", "console/main.tsx"]; // which the program contains as text
  const infos = await Promise.all(
    [...entries.map((entry) => [entry]), page].map(async (args): Promise<ModuleInfo> =>
      JSON.parse(await runDeno(["info", "--json", ...args], { cwd: repository }))
    ),
  );
  return {
    modules: infos.flatMap(({ modules }) => modules),
    npmPackages: Object.assign({}, ...infos.map(({ npmPackages }) => npmPackages)),
  };
}

if (import.meta.main) {
  const repository = decodeURIComponent(new URL("..", import.meta.url).pathname);
  const { version } = JSON.parse(Deno.readTextFileSync(`${repository}deno.json`));
  const deno = Deno.version.deno;
  const runtime = {
    type: "platform",
    name: "deno",
    version: deno,
    purl: `pkg:github/denoland/deno@v${deno}`,
  };
  console.log(JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      serialNumber: `urn:uuid:${crypto.randomUUID()}`,
      version: 1,
      metadata: {
        timestamp: new Date().toISOString(),
        component: { type: "application", name: "paddock", version, "bom-ref": "paddock" },
      },
      components: [...componentsOf(await moduleInfo(repository)), runtime],
    },
    undefined,
    2,
  ));
}
