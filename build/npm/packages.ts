/** The npm packages: one that people install, and one for each system with the executable in it. */
import { NAME, NPM_NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, LICENSE, MCP_NAME } from "../project.ts";
import { executableName, nodePlatformOf, type Target, TARGETS } from "../targets.ts";

export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** What the package that people install runs. */
export const LAUNCHER = "bin/paddock-mcp.cjs";

/** `@paddock-mcp/linux-x64` */
export function platformPackageName(target: Target): string {
  const { os, cpu } = nodePlatformOf(target);
  return `@${NPM_NAME}/${os}-${cpu}`;
}

const COMMON = {
  license: LICENSE,
  repository: { type: "git", url: `git+${REPOSITORY_URL}.git` },
  homepage: `${REPOSITORY_URL}#readme`,
  publishConfig: { access: "public", provenance: true },
};

export function mainPackage(): PackageJson {
  return {
    name: NPM_NAME,
    version: VERSION,
    description: DESCRIPTION,
    ...COMMON,
    bugs: `${REPOSITORY_URL}/issues`,
    keywords: ["mcp", "model-context-protocol", "filesystem", "sandbox", "undo"],
    mcpName: MCP_NAME,
    bin: { [NPM_NAME]: LAUNCHER, [NAME]: LAUNCHER },
    files: [LAUNCHER],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(
      TARGETS.map((target) => [platformPackageName(target), VERSION]),
    ),
  };
}

export function platformPackage(target: Target): PackageJson {
  const { os, cpu } = nodePlatformOf(target);
  return {
    name: platformPackageName(target),
    version: VERSION,
    description: `The executable of ${NPM_NAME} for ${os} on ${cpu}`,
    ...COMMON,
    os: [os],
    cpu: [cpu],
    ...(os === "linux" ? { libc: ["glibc"] } : {}),
    files: [`bin/${executableName(target)}`],
    preferUnplugged: true, // an executable cannot run out of a zip file
  };
}

export function readmeOf({ name }: PackageJson): string {
  if (name !== NPM_NAME) {
    return `# ${name}\n\nThe executable that [${NPM_NAME}](${REPOSITORY_URL}) runs on this system. Install \`${NPM_NAME}\` instead.\n`;
  }
  return `# ${NPM_NAME}

[paddock](${REPOSITORY_URL}) is an MCP filesystem server: it lets AI agents read, search, edit and version files
inside the directories you choose, and nowhere else.

    npx -y ${NPM_NAME} /path/to/your/project                  # what a client starts
    npx -y ${NPM_NAME} setup cursor /path/to/your/project     # what to tell a client; --write tells it
    npx -y ${NPM_NAME} --help

This package only finds and runs the executable, which comes in a package for your system (Linux with glibc,
macOS, Windows; x64 and arm64). No script runs when it is installed.
`;
}
