/** The entry for the MCP registry: the npm package, and the bundles with their checksums. */
import { NPM_NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { bundleName } from "../mcpb/manifest.ts";
import { DESCRIPTION, downloadUrl, MCP_NAME } from "../project.ts";
import { TARGETS } from "../targets.ts";
import { sumOf, type Sums } from "./sums.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const DIRECTORIES = {
  type: "positional",
  valueHint: "directory",
  description: "A directory that agents may work in",
  format: "filepath",
  isRequired: true,
  isRepeated: true,
};

const READ_ONLY = {
  type: "named",
  name: "--read-only",
  description: "Let agents read and search, but change nothing",
  format: "boolean",
  default: "false",
};

export function serverJson(sums: Sums) {
  const transport = { type: "stdio" };
  return {
    $schema: SCHEMA,
    name: MCP_NAME,
    title: "paddock",
    description: DESCRIPTION,
    version: VERSION,
    repository: { url: REPOSITORY_URL, source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: NPM_NAME,
        version: VERSION,
        runtimeHint: "npx",
        transport,
        packageArguments: [READ_ONLY, DIRECTORIES],
      },
      ...TARGETS.map((target) => ({
        registryType: "mcpb",
        identifier: downloadUrl(bundleName(target)),
        version: VERSION,
        fileSha256: sumOf(bundleName(target), sums),
        transport,
      })),
    ],
  };
}
