/** What every package, bundle and manifest says about the project, in one place. */
import { NAME, REPOSITORY_URL, VERSION } from "../src/base/version.ts";

export const DESCRIPTION = "MCP server for files inside the directories you choose, and nowhere else";
export const LICENSE = "MIT";

/** `OWNER/NAME` on GitHub. */
export const REPOSITORY_SLUG = new URL(REPOSITORY_URL).pathname.slice(1);
const [OWNER = ""] = REPOSITORY_SLUG.split("/");

/** The name in the MCP registry, which only the owner of the repository may use. */
export const MCP_NAME = `io.github.${OWNER}/${NAME}`;
export const IMAGE = `ghcr.io/${OWNER}/${NAME}`;

export function downloadUrl(file: string, version = VERSION): string {
  return `${REPOSITORY_URL}/releases/download/v${version}/${file}`;
}

/** The repository's folder, without a slash at the end. */
export const FOLDER = decodeURIComponent(new URL("..", import.meta.url).pathname)
  .replace(/^\/(?=[A-Z]:)/, "").replace(/\/$/, "");
export const DIST = `${FOLDER}/dist`;
