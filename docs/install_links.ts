/**
 * Links that make an editor install the server with one click, for the README. They install a fixed version from JSR,
 * which serves the folder that is open in the editor.
 */
import { NAME, VERSION } from "../src/base/version.ts";

const DENO = "2.9.6";

/** Both editors replace it with the open folder. */
const FOLDER = "${workspaceFolder}";

export const LINKED_SERVER = {
  command: "npx",
  args: [
    "-y",
    `deno@${DENO}`,
    "run",
    "-A",
    "--no-prompt",
    "--unstable-worker-options",
    `jsr:@paddock/paddock@${VERSION}`,
    FOLDER,
    "--text=compact",
  ],
};

/**
 * A page of Cursor's that leads to `cursor://anysphere.cursor-deeplink/mcp/install`, because GitHub does not show
 * such links.
 */
export function cursorLink(): string {
  const config = new TextEncoder().encode(JSON.stringify(LINKED_SERVER)).toBase64();
  return `https://cursor.com/en/install-mcp?name=${NAME}&config=${encodeURIComponent(config)}`;
}

/** The same for VS Code, whose own links begin with `vscode:mcp/install`. */
export function vscodeLink(): string {
  const config = encodeURIComponent(JSON.stringify({ type: "stdio", ...LINKED_SERVER }));
  return `https://insiders.vscode.dev/redirect/mcp/install?name=${NAME}&config=${config}`;
}

export function installLinks(): string {
  return `[Install in Cursor](${cursorLink()}) · [Install in VS Code](${vscodeLink()})`;
}
