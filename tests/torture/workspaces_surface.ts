/**
 * The workspaces surface under torture: several servers commit to one workspace and are killed in the middle of it.
 * Every acknowledged commit must be in the history, the files must be as in the last commit, and git must find
 * nothing wrong.
 */
import type { Random } from "../support/random.ts";
import type { TempFolder } from "../support/temp.ts";
import { isSealed, randomBody, sealed } from "./sealed.ts";
import type { TortureSurface } from "./surface.ts";
import type { Outcome, Victim } from "./victim.ts";

const SECRET = "NOT-TO-BE-TOLD";
const workspaceId = "field";

export class WorkspacesTorture implements TortureSurface {
  readonly name = "workspaces";
  readonly agents = 3;
  readonly #folder: TempFolder;
  /** Commits that were acknowledged. */
  readonly #commits = new Set<string>();
  /** By agent, what its own file may contain: its content at the last check, and what was sent since. */
  readonly #own = Array.from({ length: this.agents }, () => new Set([""]));

  constructor(folder: TempFolder) {
    this.#folder = folder;
    folder.write("outside/secret.txt", SECRET);
    Deno.mkdirSync(`${folder.path}/spaces`);
  }

  argsOf(): string[] {
    return [
      `--workspaces-root=${this.#folder.path}/spaces`,
      "--transport=stdio",
      "--log-level=error",
      "--timeout=60",
    ];
  }

  async begin(victim: Victim): Promise<void> {
    await victim.call("workspace_create", { name: workspaceId });
    for (const path of ["shared.txt", "a/token.txt"]) {
      await victim.call("fs_write_file", { workspaceId, path, content: sealed(path) });
    }
    for (let agent = 0; agent < this.agents; agent++) {
      await victim.call("fs_write_file", { workspaceId, path: `own-${agent}.txt`, content: "" });
    }
  }

  async act(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<void> {
    const outcome = await random.pick([
      () => this.#writeOwn(agent, { victim, random }),
      () =>
        victim.call("fs_write_file", {
          workspaceId,
          path: "shared.txt",
          content: sealed(randomBody(random)),
        }),
      () => this.#move(victim, random),
      () => this.#applyTwo(victim, random),
      () => victim.call("fs_write_file", { workspaceId, path: ".git/hooks/pre-commit", content: "OUT" }),
      () => this.#read(victim),
    ])();
    this.#note(outcome);
  }

  disturb(): Promise<void> {
    return Promise.resolve();
  }

  look(): string[] {
    const text = this.#folder.read("spaces/field/shared.txt");
    return isSealed(text) ? [] : [`a reader saw a torn file of ${text.length} characters`];
  }

  /** The first call of the next server repairs what was begun. */
  async recover(victim: Victim): Promise<void> {
    await victim.call("fs_list_directory", { workspaceId, path: "." });
  }

  check(): string[] {
    const problems = [...this.look()];
    const changed = this.#git("status", "--porcelain");
    if (changed !== "") problems.push(`the files are not as the last commit has them:\n${changed}`);
    const history = new Set(this.#git("rev-list", "HEAD").split("\n"));
    for (const commit of this.#commits) {
      if (!history.has(commit)) problems.push(`commit ${commit} was acknowledged and is lost`);
    }
    for (const [agent, possible] of this.#own.entries()) {
      const now = this.#folder.read(`spaces/field/own-${agent}.txt`);
      if (!possible.has(now)) {
        problems.push(`own-${agent}.txt holds neither its last content nor a later one`);
      }
      possible.clear();
      possible.add(now);
    }
    const pair = this.#folder.names().filter((name) => /field\/pair\/[^/]+$/.test(name));
    const contents = new Set(pair.map((name) => this.#folder.read(name)));
    if (contents.size > 1 || pair.length % 2 !== 0) problems.push(`${pair.join(", ")} are not of one commit`);
    const tokens = this.#folder.names().filter((name) =>
      name.endsWith("/token.txt") && !name.includes("/.git/")
    );
    if (tokens.length !== 1) problems.push(`token.txt is at ${tokens.length} places`);
    if (this.#folder.read("outside/secret.txt") !== SECRET) problems.push("the secret was changed");
    if (this.#folder.names().some((name) => name.endsWith(".git/hooks/pre-commit"))) {
      problems.push("a hook was written");
    }
    return problems;
  }

  async sweep(victim: Victim): Promise<string[]> {
    await this.recover(victim);
    const broken = this.#git("fsck", "--strict", "--no-dangling");
    const left = this.#folder.names().filter((name) => /\.lock$|\.paddock-[0-9a-f]+\.tmp$/.test(name));
    return [...(broken === "" ? [] : [broken]), ...left.map((name) => `${name} is left behind`)];
  }

  async #writeOwn(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<Outcome> {
    const content = sealed(randomBody(random));
    const possible = this.#own[agent];
    possible?.add(content);
    return await victim.call("fs_write_file", { workspaceId, path: `own-${agent}.txt`, content });
  }

  async #move(victim: Victim, random: Random): Promise<Outcome> {
    const [source, destination] = [random.pick(["a", "b", "c"]), random.pick(["a", "b", "c"])];
    return await victim.call("fs_move_file", {
      workspaceId,
      source: `${source}/token.txt`,
      destination: `${destination}/token.txt`,
    });
  }

  /** Two files that must always have the same content. */
  async #applyTwo(victim: Victim, random: Random): Promise<Outcome> {
    const content = sealed(randomBody(random));
    const changes = ["pair/one.txt", "pair/two.txt"].map((path) => ({ op: "write", path, content }));
    const extra = [
      { op: "write", path: "pair/come.txt", content: "1" },
      { op: "move", source: "pair/come.txt", destination: "pair/gone.txt" },
      { op: "delete", path: "pair/gone.txt" },
    ];
    const outcome = await victim.call("fs_apply", { workspaceId, changes: [...changes, ...extra] });
    const commit = this.#note(outcome);
    if (commit === undefined || random.below(3) > 0) return outcome;
    return await victim.call("fs_revert", { workspaceId, commit });
  }

  async #read(victim: Victim): Promise<Outcome> {
    const outcome = await victim.call("fs_read_text_file", { workspaceId, path: "shared.txt" });
    if (outcome !== "gone" && !outcome.failed && !isSealed(outcome.text)) {
      victim.violations.push("fs_read_text_file gave a torn shared.txt");
    }
    return outcome;
  }

  #note(outcome: Outcome): string | undefined {
    if (outcome === "gone" || outcome.failed) return undefined;
    const commit = /"commit":"([0-9a-f]{40})"/.exec(outcome.text)?.[1];
    if (commit !== undefined) this.#commits.add(commit);
    return commit;
  }

  /** The git program's output, without any user's settings. */
  #git(...args: string[]): string {
    const { stdout, stderr, success } = new Deno.Command("git", {
      args: ["-C", `${this.#folder.path}/spaces/field`, "-c", "safe.directory=*", ...args],
      env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_OPTIONAL_LOCKS: "0" },
    }).outputSync();
    const decoder = new TextDecoder();
    return (success ? decoder.decode(stdout) : `git failed: ${decoder.decode(stderr)}`).trimEnd();
  }
}
