/**
 * One folder under three surfaces at once: two workspaces servers, a roots server and a flat one, all killed at
 * random, edit the same files, and so does a person. Each agent has its own line with a number; what was acknowledged
 * must be in the file, and git must find nothing wrong.
 */
import type { Random } from "../support/random.ts";
import type { TempFolder } from "../support/temp.ts";
import { PersonsNotes } from "./notes.ts";
import type { TortureSurface } from "./surface.ts";
import type { Outcome, Victim } from "./victim.ts";

const workspaceId = "field";
const SURFACES = ["workspaces", "workspaces", "roots", "flat"] as const;

interface Counter {
  acknowledged: number;
  sent: number;
  /** A number is incremented by one call at a time. */
  busy: boolean;
}

export class SharedTorture implements TortureSurface {
  readonly name = "three surfaces on one folder";
  readonly agents = SURFACES.length;
  readonly #folder: TempFolder;
  readonly #counters = SURFACES.map((): Counter => ({ acknowledged: 0, sent: 0, busy: false }));
  #notes: PersonsNotes | undefined;

  constructor(folder: TempFolder) {
    this.#folder = folder;
    Deno.mkdirSync(`${folder.path}/spaces`);
  }

  argsOf(agent: number): string[] {
    const folder = `${this.#folder.path}/spaces`;
    const surface = {
      workspaces: [`--workspaces-root=${folder}`, "--transport=stdio"],
      roots: [`${folder}/${workspaceId}`],
      flat: [`--dir=${folder}/${workspaceId}`, "--transport=stdio"],
    }[SURFACES[agent] ?? "workspaces"];
    return [...surface, "--log-level=error", "--timeout=60"];
  }

  async begin(victim: Victim): Promise<void> {
    await victim.call("workspace_create", { name: workspaceId });
    const content = SURFACES.map((_, agent) => `agent ${agent}: 0\n`).join("");
    await victim.call("fs_write_file", { workspaceId, path: "shared.txt", content });
    this.#notes = new PersonsNotes(`${this.#folder.path}/spaces/${workspaceId}/notes.txt`);
  }

  async act(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<void> {
    if (random.next() < 0.5) await this.#count(agent, victim);
    else await this.#note(agent, { victim, random });
  }

  disturb(random: Random): Promise<void> {
    this.#notes?.save(random);
    return Promise.resolve();
  }

  look(): string[] {
    return [];
  }

  async recover(victim: Victim): Promise<void> {
    await victim.call("fs_list_directory", { workspaceId, path: "." });
  }

  check(): string[] {
    const text = this.#read();
    const problems = this.#counters.flatMap((counter, agent) => {
      counter.busy = false;
      const now = Number(new RegExp(`^agent ${agent}: (\\d+)$`, "m").exec(text)?.[1]);
      const { acknowledged, sent } = counter;
      [counter.acknowledged, counter.sent] = [now, now];
      if (now >= acknowledged && now <= sent) return [];
      return [`agent ${agent} is at ${now}, acknowledged at ${acknowledged}, sent ${sent}`];
    });
    return [...problems, ...this.#notes?.check() ?? []];
  }

  get sum(): string {
    return this.#notes?.sum ?? "";
  }

  async sweep(victim: Victim): Promise<string[]> {
    await this.recover(victim);
    const { stdout, stderr } = new Deno.Command("git", {
      args: ["-C", `${this.#folder.path}/spaces/${workspaceId}`, "fsck", "--strict", "--no-dangling"],
      env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    }).outputSync();
    const broken = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return broken === "" ? [] : [broken];
  }

  async #count(agent: number, victim: Victim): Promise<void> {
    const counter = this.#counters[agent];
    if (counter === undefined || counter.busy) return;
    counter.busy = true;
    const now = counter.acknowledged;
    counter.sent = now + 1;
    const [from, to] = [`agent ${agent}: ${now}`, `agent ${agent}: ${now + 1}`];
    const outcome = await this.#edit(agent, { victim, path: "shared.txt", from, to, line: agent });
    if (outcome === "gone") return; // whether it was made is checked when everything is quiet
    if (!outcome.failed) counter.acknowledged = now + 1;
    else if (!/CONFLICT|saved by another/.test(outcome.text)) {
      victim.violations.push(`${from}: ${outcome.text}`);
    }
    counter.busy = false;
  }

  async #note(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<void> {
    const [from, to] = [this.#notes?.agentsLine ?? "", `agents ${agent} ${random.below(1e9)}`];
    await this.#edit(agent, { victim, path: "notes.txt", from, to, line: 0 });
  }

  #edit(agent: number, { victim, path, from, to, line }: Edit): Promise<Outcome> {
    if (SURFACES[agent] === "roots") {
      const edits = [{ old_string: `${from}\n`, new_string: `${to}\n` }];
      return victim.call("multi_edit_text_file", { root: workspaceId, path, edits });
    }
    if (SURFACES[agent] === "flat") {
      return victim.call("edit_file", { name: path, edits: [{ line, operation: "replace", content: to }] });
    }
    const edits = [{ oldText: `${from}\n`, newText: `${to}\n` }];
    return victim.call("fs_edit_file", { workspaceId, path, edits });
  }

  #read(): string {
    return this.#folder.read(`spaces/${workspaceId}/shared.txt`);
  }
}

interface Edit {
  victim: Victim;
  path: string;
  from: string;
  to: string;
  /** For the surface that edits by line. */
  line: number;
}
