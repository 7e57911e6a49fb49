/**
 * The roots surface under torture. Several agents, each with its own server process, work on the same files until
 * they are killed. What was acknowledged is recorded; afterwards all of it must be there, once, whole, and nothing of
 * it outside.
 */
import type { Random } from "../support/random.ts";
import type { TempFolder } from "../support/temp.ts";
import { PersonsNotes } from "./notes.ts";
import { isSealed, randomBody, sealed } from "./sealed.ts";
import type { TortureSurface } from "./surface.ts";
import type { Victim } from "./victim.ts";

const SECRET = "NOT-TO-BE-TOLD";
const AGENTS = 4;
const TOKENS = 8;
const FOLDERS = ["a", "b", "c"];
const root = "field";

/** Lines that no patch changes, around each changed one. */
const STILL = "still\nstill\nstill\n";

export class RootsTorture implements TortureSurface {
  readonly name = "roots";
  readonly agents = AGENTS;
  readonly #folder: TempFolder;
  /** Lines that were sent to be appended, and whether that was acknowledged. */
  readonly #lines = new Map<string, boolean>();
  /** By agent, the number in its line of the patched file: acknowledged, and possibly reached. */
  readonly #counters = Array.from({ length: AGENTS }, () => ({ acknowledged: 0, sent: 0 }));
  readonly #notes: PersonsNotes;
  #nextLine = 0;

  constructor(folder: TempFolder) {
    this.#folder = folder;
    folder.write("outside/secret.txt", SECRET);
    folder.write("field/lines.txt", "");
    folder.write("field/whole.txt", sealed("first"));
    folder.write("field/counters.txt", Array.from({ length: AGENTS }, (_, i) => counterLine(i, 0)).join(""));
    for (const name of FOLDERS) folder.write(`field/${name}/keep.txt`, sealed(name));
    for (let i = 0; i < TOKENS; i++) {
      folder.write(`field/a/token-${i}.txt`, sealed(`token ${i}`));
      folder.write(`field/a/tree-${i}/deep/x.txt`, sealed(`tree ${i}`));
    }
    folder.write("field/flip/x.txt", sealed("flip"));
    this.#notes = new PersonsNotes(`${folder.path}/field/notes.txt`);
    Deno.symlinkSync("../outside", `${folder.path}/field/out`);
  }

  argsOf(): string[] {
    return [`${this.#folder.path}/field`, "--log-level=error", "--timeout=60"];
  }

  /** One call of an agent. */
  async act(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<void> {
    await random.pick([
      () => this.#append(victim),
      () => this.#append(victim),
      () => this.#overwrite(victim, random),
      () => this.#read(victim, random),
      () => this.#count(agent, victim),
      () => this.#note(agent, { victim, random }),
      () => this.#move(victim, random),
      () => this.#leave(victim, random),
    ])();
  }

  /**
   * Saves a file that agents edit, as a person does; or swaps a folder for a link that leads outside, and back: what
   * no client can do, but a local user can.
   */
  async disturb(random: Random): Promise<void> {
    if (random.next() < 0.7) return this.#notes.save(random);
    const [flip, aside] = [`${this.#folder.path}/field/flip`, `${this.#folder.path}/flip.aside`];
    Deno.renameSync(flip, aside);
    Deno.symlinkSync("../outside", flip);
    await new Promise((resolve) => setTimeout(resolve, random.below(5)));
    Deno.removeSync(flip);
    clearAway(flip);
    Deno.renameSync(aside, flip);
  }

  /** Violated promises, while servers may be at work. */
  look(): string[] {
    const text = this.#folder.read("field/whole.txt");
    return isSealed(text) ? [] : [`a reader saw a torn file of ${text.length} characters`];
  }

  /** Violated promises, when nobody is at work. */
  check(): string[] {
    return [
      ...this.look(),
      ...this.#checkLines(),
      ...this.#checkCounters(),
      ...this.#checkMoved(),
      ...this.#checkOutside(),
      ...this.#notes.check(),
    ];
  }

  get sum(): string {
    return this.#notes.sum;
  }

  /** One more write in each folder sweeps up what killed servers have left. */
  async sweep(victim: Victim): Promise<string[]> {
    for (const name of ["", ...FOLDERS.map((folder) => `${folder}/`), "flip/"]) {
      await victim.call("write_file", { root, path: `${name}swept.txt`, content: "", mode: "overwrite" });
    }
    return this.#folder.names().filter((name) => /^field\/.*\.paddock-[0-9a-f]+\.tmp$/.test(name))
      .map((name) => `${name} is left behind`);
  }

  async #append(victim: Victim): Promise<void> {
    const line = `line ${this.#nextLine++}.`;
    this.#lines.set(line, false);
    const outcome = await victim.call("write_file", {
      root,
      path: "lines.txt",
      content: `${line}\n`,
      mode: "append",
    });
    if (outcome === "gone") return;
    if (outcome.failed) this.#lines.delete(line);
    else this.#lines.set(line, true);
  }

  async #overwrite(victim: Victim, random: Random): Promise<void> {
    const content = sealed(randomBody(random));
    await victim.call("write_file", { root, path: "whole.txt", content, mode: "overwrite" });
  }

  async #read(victim: Victim, random: Random): Promise<void> {
    const path = random.pick(["whole.txt", "a/keep.txt", "b/keep.txt"]);
    const outcome = await victim.call("read_file", { root, path });
    if (outcome !== "gone" && !outcome.failed && !isSealed(outcome.text)) {
      victim.violations.push(`read_file gave a torn ${path}`);
    }
  }

  async #count(agent: number, victim: Victim): Promise<void> {
    const counter = this.#counters[agent];
    const now = this.#counterOf(agent);
    if (counter === undefined || now === undefined) return;
    const patch = `--- a/counters.txt\n+++ b/counters.txt\n@@ -${1 + 4 * agent},4 +${1 + 4 * agent},4 @@\n` +
      ` still\n still\n still\n-agent ${agent}: ${now}\n+agent ${agent}: ${now + 1}\n`;
    counter.sent = now + 1;
    const outcome = await victim.call("patch_file", { root, path: "counters.txt", patch });
    if (outcome !== "gone" && !outcome.failed) counter.acknowledged = now + 1;
  }

  async #note(agent: number, { victim, random }: { victim: Victim; random: Random }): Promise<void> {
    const edits = [{
      old_string: `${this.#notes.agentsLine}\n`,
      new_string: `agents ${agent} ${random.below(1e9)}\n`,
    }];
    await victim.call("multi_edit_text_file", { root, path: "notes.txt", edits });
  }

  async #move(victim: Victim, random: Random): Promise<void> {
    const i = random.below(TOKENS);
    const name = random.pick([`token-${i}.txt`, `tree-${i}`]);
    const [from, to] = [random.pick(FOLDERS), random.pick(FOLDERS)];
    await victim.call("move", {
      source_root: root,
      source_path: `${from}/${name}`,
      dest_root: root,
      dest_path: `${to}/${name}`,
    });
  }

  /** Attempts to get out, through a link that stays and through a folder that is swapped for one. */
  async #leave(victim: Victim, random: Random): Promise<void> {
    const path = random.pick(["out/secret.txt", "flip/secret.txt", "out/new.txt", "../outside/secret.txt"]);
    const call = random.pick([
      () => victim.call("read_file", { root, path }),
      () => victim.call("grep", { root, path: random.pick(["out", "flip"]), pattern: "." }),
      () =>
        victim.call("write_file", { root, path, content: "OUT", mode: random.pick(["overwrite", "append"]) }),
    ]);
    const outcome = await call();
    if (outcome !== "gone" && outcome.text.includes(SECRET)) victim.violations.push(`${path} was told`);
  }

  #checkLines(): string[] {
    const found = this.#folder.read("field/lines.txt").split("\n");
    const problems = found.pop() === "" ? [] : ["the last line has no end"];
    const counts = new Map<string, number>();
    for (const line of found) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [line, count] of counts) {
      if (!this.#lines.has(line)) problems.push(`${JSON.stringify(line)} was never appended, or was refused`);
      if (count > 1) problems.push(`${line} is there ${count} times`);
    }
    for (const [line, acknowledged] of this.#lines) {
      if (acknowledged && !counts.has(line)) problems.push(`${line} was acknowledged and is lost`);
    }
    return problems;
  }

  #checkCounters(): string[] {
    return this.#counters.flatMap(({ acknowledged, sent }, agent) => {
      const now = this.#counterOf(agent);
      return now !== undefined && now >= acknowledged && now <= sent
        ? []
        : [`agent ${agent} is at ${now}, acknowledged at ${acknowledged}, sent ${sent}`];
    });
  }

  #checkMoved(): string[] {
    const names = this.#folder.names();
    const problems: string[] = [];
    for (let i = 0; i < TOKENS; i++) {
      for (const end of [`/token-${i}.txt`, `/tree-${i}/deep/x.txt`]) {
        const places = names.filter((name) => name.startsWith("field/") && name.endsWith(end));
        if (places.length !== 1) problems.push(`${end} is at ${places.length} places: ${places.join(", ")}`);
        for (const place of places) {
          if (!isSealed(this.#folder.read(place))) problems.push(`${place} is torn`);
        }
      }
    }
    return problems;
  }

  /** A swap within microseconds can still cause an empty temporary file (docs/notes/security.md). */
  #checkOutside(): string[] {
    return this.#folder.names().filter((name) => name.startsWith("outside/") && name !== "outside/").flatMap(
      (name) => {
        const content = this.#folder.read(name);
        if (name === "outside/secret.txt") return content === SECRET ? [] : ["the secret was changed"];
        return content === "" && /\/\.paddock-[0-9a-f]+\.tmp$/.test(name)
          ? []
          : [`${name} was created outside`];
      },
    );
  }

  #counterOf(agent: number): number | undefined {
    const number = new RegExp(`^agent ${agent}: (\\d+)$`, "m").exec(this.#folder.read("field/counters.txt"))
      ?.[1];
    return number === undefined ? undefined : Number(number);
  }
}

function counterLine(agent: number, number: number): string {
  return `${STILL}agent ${agent}: ${number}\n`;
}

/** What was created where the folder was missing for a moment. */
function clearAway(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
