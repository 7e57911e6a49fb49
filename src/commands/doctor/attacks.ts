/**
 * Attacks that have worked on file servers of this kind, each tried with every tool that takes a path. The
 * tools are listed by the server, so a new one is attacked automatically.
 */
import { type Check, type Finding, finding } from "./finding.ts";
import { type Ground, SECRET } from "./ground.ts";
import type { Listed, LiveServer } from "./live_server.ts";
import { pathArguments, plausibleCall } from "./plausible_call.ts";

interface Attack {
  readonly name: string;
  readonly paths: readonly string[];
  /** Whether every tool must refuse these paths. A link itself may be removed or examined. */
  readonly refused: boolean;
  readonly links?: true;
}

function attacksOn({ path: base }: Ground): Attack[] {
  return [
    {
      name: "paths that leave the root",
      refused: true,
      paths: [
        "..",
        "../outside/secret.txt",
        "../outside/new.txt",
        "no/../../outside/secret.txt",
        "ok.txt/../../outside/new.txt",
        `${"ok_dir/../".repeat(100)}../outside/new.txt`,
      ],
    },
    {
      name: "absolute paths",
      refused: true,
      paths: ["/etc/passwd", "//etc/passwd", `${base}/outside/secret.txt`, `${base}/outside/new.txt`],
    },
    {
      name: "a sibling with the same prefix",
      refused: true,
      paths: ["../field_evil/secret.txt", "../field_evil/new.txt", `${base}/field_evil/secret.txt`],
    },
    {
      name: "paths through links",
      refused: true,
      links: true,
      paths: [
        "out_dir/secret.txt",
        "out_dir/new.txt",
        "out_dir/no/such/new.txt",
        "evil_dir/secret.txt",
        "chain/secret.txt",
        "chain/new.txt",
        "parent/outside/secret.txt",
        "self/out_dir/new.txt",
        "dangling/new.txt",
        "dangling_out/new.txt",
        "loop/x",
      ],
    },
    {
      name: "links themselves",
      refused: false,
      links: true,
      paths: ["out_file", "out_dir", "chain", "parent", "dangling", "dangling_out", "loop"],
    },
    {
      name: "changes inside .git",
      refused: false,
      paths: [
        ".git/config",
        ".git/hooks/pre-commit",
        ".git",
        ".GIT/config",
        "git~1/config",
        ".g\u200cit/config",
      ],
    },
    {
      name: "names with a NUL, and overlong names",
      refused: true,
      paths: ["ok\0.txt", "../outside/secret.txt\0.png", "n".repeat(300), "a/".repeat(3_000)],
    },
    {
      name: "paddock's own temporary names",
      refused: true,
      paths: [".paddock-0a.tmp", "ok_dir/.paddock-ff.tmp", ".PADDOCK-0A.TMP"],
    },
    {
      name: "deceptive names",
      refused: false,
      paths: [
        "%2e%2e/outside/secret.txt",
        "..\\outside\\secret.txt",
        "\uff0e\uff0e/outside/secret.txt",
        "~/x",
        "$(id)",
        "-rf",
        "a\nb",
        "\u001b[31mred",
      ],
    },
  ];
}

export function attackChecks(server: LiveServer, ground: Ground): Check[] {
  return attacksOn(ground).map((attack) => ({
    name: attack.name,
    run: async () => {
      if (attack.links && ground.noLinks !== undefined) {
        return [finding(attack.name, "skipped", `symbolic links cannot be created here: ${ground.noLinks}`)];
      }
      return [await tryAttack(attack, { server, ground })];
    },
  }));
}

interface Field {
  readonly server: LiveServer;
  readonly ground: Ground;
}

async function tryAttack(attack: Attack, { server, ground }: Field): Promise<Finding> {
  const tools = (await server.list()).filter(({ inputSchema }) => pathArguments(inputSchema).length > 0);
  const successes: string[] = [];
  let calls = 0;
  ground.restore();
  const before = ground.untouchable();
  for (const tool of tools) {
    for (const argument of pathArguments(tool.inputSchema)) {
      for (const path of attack.paths) {
        calls++;
        const what = await tryCall(tool, { argument, path, attack, server, ground, before });
        if (what !== undefined) successes.push(`${tool.name} ${argument}=${shown(path)} ${what}`);
        ground.restore();
      }
    }
  }
  if (tools.length === 0) return finding(attack.name, "failed", "the server has no tools to attack");
  if (successes.length === 0) return finding(attack.name, "ok", `${calls} calls to ${tools.length} tools`);
  const more = successes.length > 3 ? `, and ${successes.length - 3} more` : "";
  return finding(attack.name, "failed", successes.slice(0, 3).join("; ") + more);
}

interface Call extends Field {
  readonly argument: string;
  readonly path: string;
  readonly attack: Attack;
  readonly before: string;
}

/** What the attack achieved, if anything. */
async function tryCall(tool: Listed, call: Call): Promise<string | undefined> {
  const { argument, path, attack, server, ground, before } = call;
  const answer = await server.call(tool.name, plausibleCall(tool.inputSchema, { argument, path }));
  if (ground.untouchable() !== before) {
    ground.clear();
    return "changed something outside";
  }
  const revealed = answer.whole.replaceAll(JSON.stringify(path).slice(1, -1), "");
  if (revealed.includes(SECRET)) return "revealed a secret";
  if (revealed.includes(ground.path)) return "revealed the directory's path";
  return attack.refused && !answer.failed ? "was not refused" : undefined;
}

function shown(path: string): string {
  const quoted = JSON.stringify(path);
  return quoted.length > 60 ? `${quoted.slice(0, 60)}…"` : quoted;
}

/** Patterns on which other engines run for ever, with text made for them. */
export function patternCheck(server: LiveServer, ground: Ground): Check {
  const name = "patterns that never end";
  return {
    name,
    run: async () => {
      Deno.writeTextFileSync(`${ground.field}/aaa.txt`, `${"a".repeat(50_000)}!\n`);
      const patterns = ["(a+)+$", "(a|a)*b", "(a*)*c", "(.*)*x", "a{1,500}a{1,500}d"];
      for (const pattern of patterns) {
        const { failed, text } = await server.call("grep", { root: "field", path: ".", pattern });
        if (failed) return [finding(name, "failed", `grep ${pattern}: ${text}`)];
      }
      return [finding(name, "ok", `${patterns.length} patterns, each answered in time`)];
    },
  };
}
