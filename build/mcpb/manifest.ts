/** What a bundle for one-click installs says about itself, and what it asks a person. */
import { NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, LICENSE } from "../project.ts";
import { executableName, nodePlatformOf, type Target } from "../targets.ts";

/** The format cannot name processors, so there is a bundle for each target. */
export function bundleName(target: Target): string {
  return `${NAME}-${VERSION}-${target}.mcpb`;
}

/** Where the executable is in the bundle. */
export function entryPoint(target: Target): string {
  return `server/${executableName(target)}`;
}

export function bundleManifest(target: Target) {
  return {
    manifest_version: "0.3",
    name: NAME,
    display_name: "paddock",
    version: VERSION,
    description: DESCRIPTION,
    long_description:
      "Agents read, search, edit and undo inside the folders that you choose here. The server runs in a sandbox that " +
      "can reach these folders and nothing else: no other file, no program, no network. What was changed is kept " +
      "for 30 days, so that `paddock log` can show it and `paddock undo` can undo it.",
    author: { name: "The paddock authors", url: REPOSITORY_URL },
    repository: { type: "git", url: REPOSITORY_URL },
    documentation: `${REPOSITORY_URL}#readme`,
    support: `${REPOSITORY_URL}/issues`,
    license: LICENSE,
    keywords: ["files", "filesystem", "search", "undo", "sandbox"],
    tools_generated: true,
    server: {
      type: "binary",
      entry_point: entryPoint(target),
      mcp_config: {
        command: `\${__dirname}/${entryPoint(target)}`,
        args: [
          "--text=compact", // a model reads it, not a program
          "--read-only=${user_config.read_only}",
          "--no-undo=${user_config.no_undo}",
          "${user_config.directories}",
        ],
        env: {},
      },
    },
    compatibility: { platforms: [nodePlatformOf(target).os] },
    user_config: {
      directories: {
        type: "directory",
        title: "Folders",
        description: "The folders that agents may work in. They can reach nothing outside them.",
        multiple: true,
        required: true,
      },
      read_only: {
        type: "boolean",
        title: "Read only",
        description: "Agents can read and search, but change nothing.",
        default: false,
        required: false,
      },
      no_undo: {
        type: "boolean",
        title: "Keep no records for undo",
        description: "By default what agents change is recorded, so that it can be undone.",
        default: false,
        required: false,
      },
    },
  };
}
