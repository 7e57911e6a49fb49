/**
 * Notes that a person keeps and agents edit. The person saves with programs that do not lock, in every style; what
 * was saved last must be in the file, whatever agents do. What remains is the instant between the last check and the
 * rename, and an agent's server that is killed in it: one save in 360 may hit that.
 */
import { SAVE_STYLES, STYLES } from "../support/person.ts";
import type { Random } from "../support/random.ts";

const MAY_BE_LOST = 1 / 360;
const LINES = Array.from({ length: 20 }, (_, i) => `line ${i} stays as it is\n`).join("");

export class PersonsNotes {
  readonly #path: string;
  #number = 0;
  #saves = 0;
  readonly #lost: string[] = [];

  constructor(path: string) {
    this.#path = path;
    Deno.writeTextFileSync(path, `agents 0\n${LINES}person 0\n`);
  }

  /** What an agent changes, as it is now. */
  get agentsLine(): string {
    return /^agents .*$/m.exec(Deno.readTextFileSync(this.#path))?.[0] ?? "agents ?";
  }

  save(random: Random): void {
    this.look();
    const text = Deno.readTextFileSync(this.#path);
    const style = random.pick(STYLES);
    this.#number++;
    this.#saves++;
    SAVE_STYLES[style](this.#path, text.replace(/^person \d+$/m, `person ${this.#number}`));
  }

  /** Records a loss, once. */
  look(): void {
    const text = Deno.readTextFileSync(this.#path);
    const number = /^person (\d+)$/m.exec(text)?.[1];
    if (Number(number) === this.#number) return;
    this.#lost.push(`save ${this.#number}: the file has ${number ?? "no number"}`);
    this.#number = number === undefined ? 0 : Number(number);
    if (number === undefined) Deno.writeTextFileSync(this.#path, `agents 0\n${LINES}person 0\n`);
  }

  get sum(): string {
    return `a person saved ${this.#saves} times, ${this.#lost.length} lost`;
  }

  check(): string[] {
    this.look();
    if (this.#lost.length <= Math.max(1, this.#saves * MAY_BE_LOST)) return [];
    return [`${this.#lost.length} of ${this.#saves} saves of a person were lost: ${this.#lost.at(-1)}`];
  }
}
