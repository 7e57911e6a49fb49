import { assert, assertEquals } from "@std/assert";
import { type FlagRecord, FLAGS, flagsMarkdown } from "../../src/cli/flags.ts";

const records: readonly FlagRecord[] = FLAGS;

Deno.test("FLAGS are the ones users are promised", () => {
  assertEquals(records.map((flag) => flag.name), [
    "config",
    "dir",
    "workspaces-root",
    "classic",
    "transport",
    "port",
    "host",
    "max-size",
    "timeout",
    "read-only",
    "tool-names",
    "tools",
    "text",
    "log-format",
    "log-level",
    "auth-token-file",
    "allowed-hosts",
    "console",
    "cors-origin",
    "acp-events",
    "acp-session-id",
    "undo-dir",
    "no-undo",
    "require-undo",
    "no-search-cache",
    "no-sandbox",
    "require-kernel-fence",
    "help",
    "version",
  ]);
});

Deno.test("FLAGS name the environment variables and config keys users are promised", () => {
  const pairs = (key: "env" | "fileKey") =>
    Object.fromEntries(records.flatMap((flag) => flag[key] === undefined ? [] : [[flag.name, flag[key]]]));
  assertEquals(pairs("env"), {
    "workspaces-root": "WORKSPACES_ROOT",
    "transport": "MCP_TRANSPORT",
    "port": "PORT",
    "auth-token-file": "PADDOCK_TOKEN",
    "no-undo": "PADDOCK_NO_UNDO",
  });
  assertEquals(pairs("fileKey"), {
    "transport": "transport",
    "port": "port",
    "host": "host",
    "max-size": "max_size_mb",
    "timeout": "timeout_seconds",
    "read-only": "read_only",
    "tools": "tools",
    "text": "text",
    "log-format": "log_format",
    "log-level": "log_level",
    "auth-token-file": "auth_token_file",
    "allowed-hosts": "allowed_hosts",
    "console": "console",
    "cors-origin": "cors_origins",
  });
});

Deno.test("the reference's table of flags is flagsMarkdown()", () => {
  const page = Deno.readTextFileSync(new URL("../../docs/reference.md", import.meta.url));
  const table = /<!-- flags -->\n(.*?)<!-- \/flags -->/s.exec(page)?.[1];
  assert(table !== undefined, "docs/reference.md has no part between <!-- flags --> and <!-- /flags -->");
  assertEquals(unaligned(table), unaligned(flagsMarkdown()));
});

/** Without what `deno fmt` does to a table: cells padded to the width of their column. */
function unaligned(table: string): string {
  return table.trim().replace(/ +\|/g, " |").replace(/-{3,}/g, "---");
}
